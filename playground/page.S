// The built playground of web/, as bytes of the program.
    .section .rodata
    .global fray_playground_page_begin
    .global fray_playground_page_end
fray_playground_page_begin:
    .incbin FRAY_PLAYGROUND_PAGE
fray_playground_page_end:
    .byte 0
    .section .note.GNU-stack,"",%progbits

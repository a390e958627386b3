// The built page of web/, as bytes of the program.
    .section .rodata
    .global fray_report_page_begin
    .global fray_report_page_end
fray_report_page_begin:
    .incbin FRAY_REPORT_PAGE
fray_report_page_end:
    .byte 0
    .section .note.GNU-stack,"",%progbits

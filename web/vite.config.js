import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file without network requests: dist/report.html, which the build of the program embeds.
export default defineConfig({
  plugins: [viteSingleFile()],
  build: {
    target: "es2020",
    outDir: "dist",
    emptyOutDir: false,
    rollupOptions: { input: "report.html" },
  },
});

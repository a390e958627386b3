import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// FRAY_PAGE names the page. Each becomes one file without network requests: dist/<page>.html, which the program embeds.
export default defineConfig({
  plugins: [viteSingleFile()],
  build: {
    target: "es2020",
    outDir: "dist",
    emptyOutDir: false,
    rollupOptions: { input: `${process.env.FRAY_PAGE ?? "report"}.html` },
  },
});

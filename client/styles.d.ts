// A webview script imports its styles; the build writes them to a separate file.
declare module '*.css';

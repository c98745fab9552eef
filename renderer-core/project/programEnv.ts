// The environment of browsers and ffmpeg. They read files of other people, so they get no keys, tokens or proxies.

const names = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TEMP', 'TMP'],
  // Shared libraries and fonts.
  ...['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'DYLD_FALLBACK_LIBRARY_PATH', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'],
  // The display and the graphics card.
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'CUDA_VISIBLE_DEVICES', 'LIBVA_DRIVER_NAME', 'GALLIUM_DRIVER'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_DATA_DIRS', 'XDG_RUNTIME_DIR'],
  // Folders of Windows, without which programs do not start.
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'OS', 'NUMBER_OF_PROCESSORS'],
  ...['PROCESSOR_ARCHITECTURE', 'USERNAME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA'],
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432', 'COMMONPROGRAMFILES', 'PUBLIC', 'ALLUSERSPROFILE'],
  // The embedded ffmpeg runs in Node, which is Electron in VS Code.
  'ELECTRON_RUN_AS_NODE',
]);

const prefixes = /^(?:LC|LIBGL|MESA|VK|NVIDIA|__GLX|__EGL|__NV)_/;

/** The variables of `env` that browsers and ffmpeg need. Windows ignores the case of names. */
export function programEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isNeeded = (name: string): boolean => names.has(name.toUpperCase()) || prefixes.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isNeeded(name)));
}

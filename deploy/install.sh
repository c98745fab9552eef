#!/bin/sh
# Installs what the hosted service needs on Debian 13 or later. The Containerfile and machines with systemd run the same
# steps. Run as root:
#
#   install.sh packages                 packages of the system, and the user "framework"
#   install.sh application PACKAGE.tgz  Framework with its ffmpeg and fonts, in /opt/framework
#   install.sh clean                    only in images: deletes what only the installation needed
set -eu

target=/opt/framework
data=/var/lib/framework
user=framework
# Fixed, because volumes of containers store the number.
user_id=10001

# bubblewrap and util-linux (prlimit) isolate renders; tini ends the processes that a render leaves behind.
# The browser shows untrusted pages. So it is the distribution's, which gets security fixes within days, and not the pinned one.
packages="nodejs bubblewrap util-linux ca-certificates tini chromium-headless-shell"
browser=/usr/lib/chromium/chromium-headless-shell
# npm installs Framework and is not needed afterwards.
build_packages="npm"
# Other installations download these on first use, which renders in a sandbox cannot.
fonts="@fontsource-variable/noto-sans-sc@5.3.1 @fontsource-variable/noto-sans-tc@5.3.1 @fontsource-variable/noto-sans-jp@5.3.1
  @fontsource-variable/noto-sans-kr@5.3.1 @fontsource/noto-color-emoji@5.3.2"

install_packages() {
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $packages $build_packages
  if ! id "$user" >/dev/null 2>&1; then
    groupadd --gid "$user_id" "$user"
    useradd --uid "$user_id" --gid "$user_id" --no-create-home --home-dir "$data" --shell /usr/sbin/nologin "$user"
  fi
  install -d -o "$user" -g "$user" -m 700 "$data"
}

install_application() {
  package=$(realpath "$1")
  rm -rf "$target.new" "$target.old"
  mkdir -p "$target.new"
  # No scripts: they would download another ffmpeg and compile bindings, and the packages contain both.
  npm install --prefix "$target.new" --ignore-scripts --omit=dev --no-audit --no-fund "$package" $fonts
  # The pinned browser, which the service does not use.
  rm -rf "$target.new/node_modules/@sparticuz"
  if [ -e "$target" ]; then mv "$target" "$target.old"; fi
  mv "$target.new" "$target"
  # Only checks, because the packages contain both. A failed installation leaves the previous version.
  if ! node "$target/node_modules/framework/dist/cli.js" setup ffmpeg fonts; then
    rm -rf "$target"
    if [ -e "$target.old" ]; then mv "$target.old" "$target"; fi
    exit 1
  fi
  rm -rf "$target.old"
  chmod -R u=rwX,go=rX "$target"
  cat >/usr/local/bin/framework <<SCRIPT
#!/bin/sh
export FRAMEWORK_BROWSER="\${FRAMEWORK_BROWSER:-$browser}"
exec node $target/node_modules/framework/dist/cli.js "\$@"
SCRIPT
  chmod 755 /usr/local/bin/framework
}

clean() {
  DEBIAN_FRONTEND=noninteractive apt-get purge --yes --auto-remove $build_packages
  rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log /root/.npm
}

case "${1:-}" in
packages) install_packages ;;
application) install_application "${2:?install.sh application needs the path of a framework-VERSION.tgz}" ;;
clean) clean ;;
*)
  echo "Usage: install.sh packages | application PACKAGE.tgz | clean" >&2
  exit 2
  ;;
esac

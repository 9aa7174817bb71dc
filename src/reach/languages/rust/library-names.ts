/**
 * Crates whose library has another name than the crate, as `library crate,crate`. Source: `[lib] name` in the crates'
 * Cargo.toml. Names that follow from Cargo's rule (a hyphen becomes an underscore) are not here.
 */
export const libraryNames = `
argon2 rust-argon2|awscreds aws-creds|awsregion aws-region|bellman bellman_ce|bip39 tiny-bip39
cairo cairo-rs|cairo_sys cairo-sys-rs|crypto rust-crypto|crypto2 rust-crypto2
debug_unreachable new_debug_unreachable|event_loop pistoncore-event_loop|exif kamadak-exif|ff ff_ce|fontconfig servo-fontconfig,yeslogic-fontconfig|fontconfig_sys servo-fontconfig-sys,yeslogic-fontconfig-sys
freetype freetype-rs|futures futures-preview|futures_channel futures-channel-preview|futures_core futures-core-preview|futures_executor futures-executor-preview|futures_io futures-io-preview|futures_sink futures-sink-preview|futures_util futures-util-preview
gettextrs gettext-rs|gettext_sys gettext-sys|gmp rust-gmp|glutin_window pistoncore-glutin_window|graphics piston2d-graphics|ini rust-ini|inflector Inflector|input pistoncore-input
javascriptcore javascriptcore-rs|lmdb lmdb-rkv|lmdb_sys lmdb-rkv-sys|md5 md-5|nbt hematite-nbt|oauth oauth1-request|opengl_graphics piston2d-opengl_graphics
pairing pairing_ce|prettytable prettytable-rs|rgsl GSL|rtfm cortex-m-rtfm|rtic cortex-m-rtic|s3 rust-s3|sdl2_window pistoncore-sdl2_window
sha1 sha-1|texture piston-texture|tui_textarea tui-textarea-2|tz tz-rs|utf8 utf-8|viewport piston-viewport|webpki rustls-webpki|window pistoncore-window|xml xml-rs,RustyXML
`;

// The npm packages of the pinned fonts. Written by scripts/fontTable.ts.

export type FontPackage = {
  name: string;
  version: string;
  license: string;
  /** The hash of the archive in Base64, as package-lock.json has it. */
  sha512: string;
  /** Size of the archive. */
  bytes: number;
  /** Size of the files that renders use. */
  unpackedBytes: number;
};

export const fontPackages: readonly FontPackage[] = [
  {
    name: '@fontsource/arimo',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'nhxZ2sTVZYX8DJBgLuyX360B5vE4mxqpmjlKTRfucIqfcWRVx9vOYzWBc1IgEX0ist48VMC10PRKbFyH+4QFvQ==',
    bytes: 2_331_821,
    unpackedBytes: 520_184,
  },
  {
    name: '@fontsource/tinos',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'VVDyyZdbcsLKxo/W7rClAvacD/7DsGc7J5xzzp51Tndib8kDkEe/0bqbb3Xb3iH6+IUjt07aRsvtQ9MGeGGi4w==',
    bytes: 1_417_704,
    unpackedBytes: 802_064,
  },
  {
    name: '@fontsource/cousine',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'EhVes1KpHrmPwGVCoVxYpdiIi/L2LRGxbAuv07m3TdY76f9Vmwyhd/TNqi2RC0NOvMCNt2FtYPJcAfFfkK9DoQ==',
    bytes: 1_032_508,
    unpackedBytes: 588_570,
  },
  {
    name: '@fontsource/gelasio',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'V95Jr9GxtSCkigiWKEDTIqajefhJHk8251aQYrMBmrdSeYnjgbKRYxLjGpr3/NjpOAf2bejIiZPwtzJ9Bcpsgw==',
    bytes: 970_490,
    unpackedBytes: 219_272,
  },
  {
    name: '@fontsource/carlito',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'oPqvLGK/dtVzC4KjdDcV/YzQq37sZdMXxD58ADvguPo3dm6yzbBKs40ADmevJF0wLvyvJY7/fPl5YkCQ1njWUw==',
    bytes: 1_399_298,
    unpackedBytes: 820_070,
  },
  {
    name: '@fontsource/caladea',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'ErBJWj9Gp/tTS33h0SUHmU3MCHzQa3RJS405ccznE8xxVK41J+mrKhjjcf3oIrnQTCgICMbl9nAH3XMXN9ANUg==',
    bytes: 272_281,
    unpackedBytes: 157_910,
  },
  {
    name: '@fontsource-variable/inter',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'OupL48va4JNofb97w6NYeF9S7W/kHNKM0Er8Dem5nqi4jeOLrVJDoE8tZEpnMJmtkvNbB1EIPPwHcdkF6b1oUA==',
    bytes: 1_885_281,
    unpackedBytes: 463_542,
  },
  {
    name: '@fontsource-variable/roboto',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'BoaaZiQf8fgtxv07KXkTwx1bKz/EoqIlTXq2OOKKXINxp6qXWdnlChqV+hSaDANS49yyUASFl3OVBMMDTCIHFA==',
    bytes: 2_002_379,
    unpackedBytes: 498_445,
  },
  {
    name: '@fontsource-variable/noto-sans-symbols',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'DIyQrT0pfYxsHAhDRHTWZ/GG7RsS6IP5e32iBaX2TIutf2ZwSiNCK2fIZ+O94A8uKv64Oepravc2mUeWDZVdkg==',
    bytes: 197_786,
    unpackedBytes: 198_361,
  },
  {
    name: '@fontsource/noto-sans-symbols-2',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'hFnEnIXOIgLLJ61SO9icRXKoS+LSWoq7ZqKJQ/NaQR7ptdC6+7yW4ci6EuXgsS1S9JmWpciX6w0AFZkU1DKn1A==',
    bytes: 763_651,
    unpackedBytes: 440_801,
  },
  {
    name: '@fontsource/noto-sans-math',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'CzodkZ4R2VC73rqbNbVpiI94fXZJLFEMNBTAM3DFadjAKrjLQ2Fr+s2yM2c5uS+frBZ2IM+LyMo6COhAzV7hCA==',
    bytes: 530_395,
    unpackedBytes: 276_834,
  },
  {
    name: 'inter-ui',
    version: '4.1.1',
    license: 'OFL-1.1',
    sha512: '451h0J29HyOmA+JXgSi/6M12tL7ZCZ8arYKZUXiOXTJpJbAKqJvFh3k5SiV3x7tKe0C0KyrKUUiQIvvZ2PQDcA==',
    bytes: 6_181_660,
    unpackedBytes: 747_301,
  },
  {
    name: '@fontsource/fira-code',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'EJL968RJRkakubAj/coU8pSUaeTE5UNoRjtzAr6kGiSZ3jWuN8/AKWHwym/PFUaQL1q7IL/H+EXs4358YhrTBQ==',
    bytes: 689_563,
    unpackedBytes: 9_650,
  },
  {
    name: '@fontsource-variable/noto-sans-arabic',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'Rz8+DBzza3//cmN+DBQajJhx3x+Dx12eUgnQsTOgPWbOT0+In6APmE8z4I/QQnUWfAx+s8l93+60qDT5vJH1sA==',
    bytes: 1_074_401,
    unpackedBytes: 261_889,
  },
  {
    name: '@fontsource-variable/noto-sans-hebrew',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'jGIZ2EOCTtT1ZhLthz6nEpPXGMniSPI/0tv5CDFDZ7MPYyoj6FskW7WJ0YTyesFADdzjx7F2Pg5W1PWD6y9UFw==',
    bytes: 158_669,
    unpackedBytes: 54_202,
  },
  {
    name: '@fontsource-variable/noto-sans-devanagari',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: '52XBcJS3jRvZ5ugFXJvdKgffXPYnN08LeodXkgCbepOdMKVRVTQu1yj071cq8S3zmUwT6w6XKKXRSQlQkwwNNg==',
    bytes: 696_527,
    unpackedBytes: 167_673,
  },
  {
    name: '@fontsource-variable/noto-sans-thai',
    version: '5.3.0',
    license: 'OFL-1.1',
    sha512: 'jHEC1vo8gD09GKf8jtH1IMoPqWmQQSKH3gkyD3ibCIMEkVpEqJ9NJ2c181VHKbTHXc7Wu9CbuBU3yjQNvpbEbw==',
    bytes: 311_176,
    unpackedBytes: 80_703,
  },
  {
    name: '@fontsource-variable/noto-sans-sc',
    version: '5.3.1',
    license: 'OFL-1.1',
    sha512: 'UB96JJ17HyD5ehEU7Em0hDdh7fvTMB4B4Hzmq5c4QaNwwSLqTrdM2S+coySeBqCkXwh0DxqXT0b0wMrmzorFpQ==',
    bytes: 4_648_850,
    unpackedBytes: 4_608_055,
  },
  {
    name: '@fontsource-variable/noto-sans-tc',
    version: '5.3.1',
    license: 'OFL-1.1',
    sha512: 'gueh+AySNkihE+HvizXLHltxt5/xVFSvw6ISnKTlpb/lG5QQm6u/KwuempTJ/jDYMST3xwiERYTTyseoJ/Kxew==',
    bytes: 4_437_507,
    unpackedBytes: 4_394_953,
  },
  {
    name: '@fontsource-variable/noto-sans-jp',
    version: '5.3.1',
    license: 'OFL-1.1',
    sha512: '/anGvJFc5y36f8DJ+3TSh2+KAvaRLA9PaLUMvneeY5s4j8m+8X4F3lE/sjTuG9YI5BX4sykvCk4TuJMG7ecMRQ==',
    bytes: 5_615_557,
    unpackedBytes: 5_584_680,
  },
  {
    name: '@fontsource-variable/noto-sans-kr',
    version: '5.3.1',
    license: 'OFL-1.1',
    sha512: 'f5aty6Qgk2LVU5TjCtXHxiYHqUWYW8f75ll0Chn8ucCqoOlIomcACUwf1V47yUt6wTdWZiGr3dcbQk+zlOspMA==',
    bytes: 3_615_517,
    unpackedBytes: 3_601_387,
  },
  {
    name: '@fontsource/noto-color-emoji',
    version: '5.3.2',
    license: 'OFL-1.1',
    sha512: 'rO15sQ45Dc28hMAMz1X1oSOWxcbqNL+CiHHJ7JPn1gmfiGIuR/QyLuHqBrXivSYHsHVTXGT/m6/DuQ42s5xQkw==',
    bytes: 24_633_074,
    unpackedBytes: 5_790_000,
  },
];

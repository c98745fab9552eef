// Minimal sound files.

/** A WAV file: 8000 samples per second, mono, 16 bits. */
export const silence = (seconds: number): Uint8Array => wav(seconds, () => 0);

/** A loud sine of 440 Hz. */
export const tone = (seconds: number): Uint8Array =>
  wav(seconds, (sample) => 0.5 * Math.sin((2 * Math.PI * 440 * sample) / 8000));

function wav(seconds: number, valueAt: (sample: number) => number): Uint8Array {
  const samples = Math.round(8000 * seconds);
  const size = 2 * samples;
  const bytes = Buffer.alloc(44 + size);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + size, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(16000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(size, 40);
  for (let sample = 0; sample < samples; sample++)
    bytes.writeInt16LE(Math.round(32_767 * valueAt(sample)), 44 + 2 * sample);
  return bytes;
}

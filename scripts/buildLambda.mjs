// Packs the function of the serverless stack into dist/lambda.zip, as `framework serverless deploy` does.
import { packFunction } from '../dist/functionPackage.js';

const { path, sha256, bytes, unpackedBytes } = await packFunction('dist/lambda.zip', { env: process.env });
const megabytes = (count) => `${(count / 1024 ** 2).toFixed(1)} MB`;
console.log(`${path}: ${megabytes(bytes)}, ${megabytes(unpackedBytes)} of 250 MB unpacked, sha256 ${sha256}`);

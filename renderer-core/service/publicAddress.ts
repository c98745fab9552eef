// The service's way to the check of addresses that renders use as well.
export { isPublicAddress, notPublic, notPublicError, publicLookup } from '../project/publicAddress.ts';

// The types of thirdParty.mjs.
export function thirdPartyNotices(): Promise<string>;

// The types of shippedPackages.mjs.
export type ShippedPackage = { folder: string; name: string; id: string; license: string | undefined };
type LockedPackage = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };
export function isFont(name: string): boolean;
export function bundledPackages(): Promise<ShippedPackage[]>;
export function installedPackages(): Promise<ShippedPackage[]>;
export function fontPackages(): Promise<ShippedPackage[]>;
export function shippedPackages(): Promise<ShippedPackage[]>;
export function installedBy(packages: Record<string, LockedPackage>): string[];

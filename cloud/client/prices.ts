// The prices of the hosted service, which the service charges and the editor shows before a render.

/** Credits per second of video, by resolution. */
const prices: Record<string, number> = { '1080p': 1, '4k': 1.5 };

/** Returns the price of a video in credits, rounded up to a hundredth. */
export function creditsFor(seconds: number, resolution: string): number {
  // Without the small correction, rounding errors of the product would be charged.
  return Math.ceil(seconds * (prices[resolution] ?? 1) * 100 - 1e-6) / 100;
}

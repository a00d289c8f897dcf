/** Every plan there is, in the order in which plans are listed. What one is and gives stands in plan-catalog.ts, its name in brand.ts. */
export const SKUS = ['free', 'cam-ai', 'unlimited', 'pro', 'hms'] as const
export type Sku = (typeof SKUS)[number]

/** All plans, in display order. plan-catalog.ts defines their features, brand.ts their names. */
export const SKUS = ['free', 'cam-ai', 'unlimited', 'pro', 'hms'] as const
export type Sku = (typeof SKUS)[number]

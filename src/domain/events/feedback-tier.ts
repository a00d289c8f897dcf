import type { FeedbackService } from '../../../contract/events/feedback.ts'
import type { Sku } from '../../../contract/billing/skus.ts'

/** Tier that a feedback video reports for each plan (FEEDBACK-05, OPEN-75). */
const TIER_OF_SKU: Readonly<Record<Sku, FeedbackService>> = { free: 0, 'cam-ai': 1, unlimited: 1, pro: 3, hms: 0 }

/** Returns the highest tier of these plans; 0 without plans. */
export function getFeedbackTier(skus: readonly Sku[]): FeedbackService {
  return skus.reduce<FeedbackService>((highest, sku) => (TIER_OF_SKU[sku] > highest ? TIER_OF_SKU[sku] : highest), 0)
}

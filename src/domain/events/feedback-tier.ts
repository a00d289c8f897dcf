import type { FeedbackService } from '../../../contract/events/feedback.ts'
import type { Sku } from '../../../contract/billing/skus.ts'

/** What a feedback video says of the plan (FEEDBACK-05, OPEN-75): one table. */
const TIER_OF_SKU: Readonly<Record<Sku, FeedbackService>> = { free: 0, 'cam-ai': 1, unlimited: 1, pro: 3, hms: 0 }

/** The highest tier of these plans. */
export function feedbackTier(skus: readonly Sku[]): FeedbackService {
  return skus.reduce<FeedbackService>((highest, sku) => (TIER_OF_SKU[sku] > highest ? TIER_OF_SKU[sku] : highest), 0)
}

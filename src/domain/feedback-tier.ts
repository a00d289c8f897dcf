import type { FeedbackService } from '../../contract/feedback.ts'

/** What a feedback video says of the plan (FEEDBACK-05, OPEN-75): one table, 0 for what is not in it. */
const TIER_OF_SKU: Readonly<Record<string, FeedbackService>> = { 'cam-ai': 1, unlimited: 1, pro: 3 }

/** The highest tier of the plans that an account has. */
export function feedbackTier(skus: readonly string[]): FeedbackService {
  return skus.reduce<FeedbackService>((most, sku) => {
    const tier = TIER_OF_SKU[sku] ?? 0
    return tier > most ? tier : most
  }, 0)
}

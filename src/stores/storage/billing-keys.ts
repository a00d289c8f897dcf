/** Storage keys of the plan and billing pages. */
export const BILLING_KEYS = {
  allSubs: 'allSubs',
  userServices: 'userServices',
  selectedPayment: 'selectedPayment',
  planCart: 'planCart',
  cardCart: 'cardCart',
  bindCart: 'bindCart',
  currency: 'currentCurrency',
  joinT3List: 'isJoinT3List',
  /** `cancelStep`: step of the cancellation in progress. `cancelStepOf`: id of its subscription. */
  cancelStep: 'cancelStep',
  cancelStepOf: 'cancelStepOf',
  /** Progress of the data export. */
  take: 'takeEverything',
} as const

/**
 * Session storage keys of a purchase in progress. `checkout`: form, quote and idempotency key. `task`: server task that
 * the page polls for the result.
 */
export const PURCHASE_KEYS = { checkout: 'checkout', task: 'purchase_task' } as const

/** Session storage keys for data that a page leaves for the next page in this tab. */
export const TAB_HANDOVER_KEYS = {
  bought: 'bought',
  /** Path to return to from the card page; set if this tab has requested the URL of the card page. */
  cardPage: 'card_page',
  replaces: 'payment_replaces',
  discount: 'coupon_of_price',
  /** Id of the subscription being canceled, a space and the reason. */
  leaving: 'leaving',
} as const

/** Storage keys of the plan and billing pages; storage-keys.ts lists the others. */
export const BILLING_KEYS = {
  allSubs: 'allSubs',
  userServices: 'userServices',
  selectedPayment: 'selectedPayment',
  planCart: 'planCart',
  cardCart: 'cardCart',
  bindCart: 'bindCart',
  currency: 'currentCurrency',
  joinT3List: 'isJoinT3List',
  /** Step of the cancellation, and the id of its plan. */
  cancelStep: 'cancelStep',
  cancelStepOf: 'cancelStepOf',
  /** Progress of the data export. */
  take: 'takeEverything',
} as const

/** Purchase in progress, in session storage: form with quote and idempotency key, and a running task. */
export const PURCHASE_KEYS = { checkout: 'checkout', task: 'purchase_task' } as const

/** Session storage keys for data that a page leaves for the next page in this tab. */
export const TAB_HANDOVER_KEYS = {
  bought: 'bought',
  /** Set when this tab has opened the card page. */
  cardPage: 'card_page',
  replaces: 'payment_replaces',
  discount: 'coupon_of_price',
  /** Id of the plan being canceled, and the reason. */
  leaving: 'leaving',
} as const

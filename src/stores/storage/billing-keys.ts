/** Keys of the pages of plans and money, beside those of storage-keys.ts. */
export const MONEY_KEYS = {
  allSubs: 'allSubs',
  userServices: 'userServices',
  selectedPayment: 'selectedPayment',
  planCart: 'planCart',
  cardCart: 'cardCart',
  bindCart: 'bindCart',
  currency: 'currentCurrency',
  joinT3List: 'isJoinT3List',
  /** Where leaving a plan stands, and beside it whose step that is. */
  cancelStep: 'cancelStep',
  cancelStepOf: 'cancelStepOf',
  /** Where taking everything stands. */
  take: 'takeEverything',
} as const

/** A purchase under way, in session storage: its form with quote and intent, and a task that runs on. */
export const PURCHASE_KEYS = { checkout: 'checkout', task: 'purchase_task' } as const

/** What a page of this tab leaves for the next one, in session storage. */
export const TAB_NOTES = {
  bought: 'bought',
  /** It has gone to the card page. */
  cardPage: 'card_page',
  replaces: 'payment_replaces',
  discount: 'coupon_of_price',
  /** A plan is being left: its id and why. */
  leaving: 'leaving',
} as const

import type { UnpaidCharge } from './gateway-interface.ts'

/** Sentences about a failed charge that a card page shows below the amount. */
export const describeUnpaidCharge = ({ worksUntil }: UnpaidCharge) => ({
  plan: worksUntil === null ? null : `Your plan stays active until ${worksUntil}.`,
  charge: 'You won’t be charged for saving a card. You’ll pay in the next step.',
})

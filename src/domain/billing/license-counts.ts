import type { Subscription } from '../../../contract/billing/subscriptions.ts'

type Counted = Pick<Subscription, 'sku' | 'quantity' | 'scheduled'>

/** How many licences somebody goes on to have: fewer than now where a smaller number is scheduled. */
export const remainingLicenses = ({ sku, quantity, scheduled }: Counted): number =>
  scheduled?.sku === sku ? Math.min(quantity, scheduled.quantity) : quantity

/** Whether licences can be given back for less money: not what is free, was bought elsewhere, ends, or becomes another plan. */
export const paysPerLicense = ({ sku, channel, status, scheduled }: Subscription): boolean =>
  channel === 'web' && status === 'active' && (scheduled?.sku ?? sku) === sku

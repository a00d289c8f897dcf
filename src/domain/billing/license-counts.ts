import type { Subscription } from '../../../contract/billing/subscriptions.ts'

type LicenseCountFields = Pick<Subscription, 'sku' | 'quantity' | 'scheduled'>

/**
 * Returns the number of licenses that remain after a scheduled reduction of the same plan; without such a reduction,
 * the current number.
 */
export const remainingLicenses = ({ sku, quantity, scheduled }: LicenseCountFields): number =>
  scheduled?.sku === sku ? Math.min(quantity, scheduled.quantity) : quantity

/**
 * True if removing licenses saves money: the plan was bought on the web, is active, and does not change to another plan
 * at the end of the billing period.
 */
export const paysPerLicense = ({ sku, channel, status, scheduled }: Subscription): boolean =>
  channel === 'web' && status === 'active' && (scheduled?.sku ?? sku) === sku

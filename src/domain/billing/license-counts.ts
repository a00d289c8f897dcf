import type { Subscription } from '../../../contract/billing/subscriptions.ts'

type LicenseCountFields = Pick<Subscription, 'sku' | 'quantity' | 'scheduled'>

/** Returns the number of licenses after a scheduled reduction. */
export const remainingLicenses = ({ sku, quantity, scheduled }: LicenseCountFields): number =>
  scheduled?.sku === sku ? Math.min(quantity, scheduled.quantity) : quantity

/**
 * True if removing licenses saves money: not for a free plan, another channel, or a plan that ends or changes to
 * another plan.
 */
export const paysPerLicense = ({ sku, channel, status, scheduled }: Subscription): boolean =>
  channel === 'web' && status === 'active' && (scheduled?.sku ?? sku) === sku

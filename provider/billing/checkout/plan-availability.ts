import { HOME_MONITORING, IS_PRO_ON_SALE } from '../../../contract/brand.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { Env } from '../../env.ts'
import { hasCardPage } from '../payment/select-gateway.ts'

/**
 * Returns true if the brand sells the plan. With the embedded gateway, a sample of home monitoring is also on sale.
 * Does not check whether this deployment has a payment gateway.
 */
export function isOnSale(sku: Sku, env: Pick<Env, 'BILLING_GATEWAY' | 'DEMO'>): boolean {
  if (sku === 'hms') return HOME_MONITORING !== null || hasCardPage(env)
  return sku !== 'free' && (sku !== 'pro' || IS_PRO_ON_SALE)
}

import { HOME_MONITORING, PRO_ON_SALE } from '../../../contract/brand.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { Env } from '../../env.ts'
import { hasCardPage } from '../payment/select-gateway.ts'

/** True if the brand sells the plan by the gateway of this deployment. An account that has a plan keeps it, whatever is sold. */
export function isOnSale(sku: Sku, env: Pick<Env, 'BILLING_GATEWAY' | 'DEMO'>): boolean {
  if (sku === 'hms') return HOME_MONITORING !== null || hasCardPage(env)
  return sku !== 'free' && (sku !== 'pro' || PRO_ON_SALE)
}

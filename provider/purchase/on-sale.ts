import { PRO_ON_SALE } from '../../contract/brand.ts'
import type { Sku } from '../../contract/skus.ts'

/** Whether the brand sells the plan. Who has it keeps it, whatever is sold. */
export const isOnSale = (sku: Sku): boolean => sku !== 'free' && (sku !== 'pro' || PRO_ON_SALE)

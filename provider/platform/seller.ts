import type { Seller } from '../../contract/billing/payment-methods-and-invoices.ts'
import { SELLER } from '../../contract/brand.ts'
import type { Env } from '../env.ts'

type SellerSettings = Pick<Env, 'SELLER_NAME' | 'SELLER_ADDRESS' | 'SELLER_TAX_ID'>

/**
 * Returns the seller on invoices. Missing or empty settings default to the values of the brand. `SELLER_ADDRESS` has
 * address lines separated by semicolons.
 */
export function readSeller(env: SellerSettings): Seller {
  const lines = (env.SELLER_ADDRESS ?? '').split(';').map((line) => line.trim())
  const address = lines.filter((line) => line !== '')
  return {
    name: env.SELLER_NAME?.trim() || SELLER.name,
    address: address.length > 0 ? address : [...SELLER.address],
    tax_id: env.SELLER_TAX_ID?.trim() || SELLER.tax_id,
  }
}

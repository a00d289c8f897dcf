import type { CouponOption } from '../billing/coupons.ts'

type CouponBenefit = Pick<CouponOption, 'kind' | 'sku' | 'value'>

/** Demo coupon. If the coupon has several benefits (`gives`), the customer chooses one. */
export interface DemoCoupon {
  readonly code: string
  readonly gives: readonly [CouponBenefit, ...CouponBenefit[]]
  /** Code of the error catalog (contract/wire/error-codes.ts) with which every use of the coupon fails. */
  readonly always?: '4102' | '4103' | '4104' | '4105' | '4106' | '4107'
}

const FREE3 = { kind: 'free_months', sku: 'unlimited', value: 3 } as const
const CREDIT20 = { kind: 'credit', sku: null, value: 2000 } as const

/** Demo coupons. They exist together with the demo accounts, and each account can use each coupon once. */
export const DEMO_COUPONS: readonly DemoCoupon[] = [
  { code: 'WELCOME20', gives: [{ kind: 'percent', sku: null, value: 20 }] },
  { code: 'FIVE-OFF', gives: [{ kind: 'amount', sku: null, value: 500 }] },
  { code: 'FREE3', gives: [FREE3] },
  { code: 'CREDIT20', gives: [CREDIT20] },
  { code: 'BONUST1', gives: [{ kind: 'bonus', sku: 'cam-ai', value: 30 }] },
  { code: 'PORCH-GIFT', gives: [FREE3, CREDIT20] },
  ...(['4102', '4103', '4104', '4105', '4106', '4107'] as const).map((always) => ({
    code: `E${always}`,
    gives: [CREDIT20] as const,
    always,
  })),
]

import type { PaymentMethod } from '../../contract/billing/payment-methods-and-invoices.ts'
import type { CouponOption } from '../../contract/billing/coupons.ts'
import { bindDevices, unassignLicense, transferCameraLicense } from '../../src/stores/billing/license-cart.ts'
import { chooseAutoCover } from '../../src/stores/billing/license-manager.ts'
import { coverCamera } from '../../src/stores/billing/purchase-confirmation.ts'
import { $bills, loadBills } from '../../src/stores/billing/invoices.ts'
import { loadMoreOfBook } from '../../src/stores/billing/statement.ts'
import { $payment, loadPaymentMethods, makeDefault, removePayment } from '../../src/stores/billing/payment-methods.ts'
import { $redeem, checkCoupon, redeemSelectedCoupon, typeCode } from '../../src/stores/billing/coupon-redemption.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const METHOD: PaymentMethod = {
  ...{ method_id: 'm1', type: 'card', brand: 'visa', last_four: '4242', name: '', ends: null },
  ...{ state: 'good', is_default: false, may_go: true, added_at: 1 },
}
const OPTION: CouponOption = { option_id: 'o1', kind: 'credit', sku: null, value: 2000, changes: [] }

export const MONEY_ACTIONS: readonly StoreCall[] = [
  { what: 'makes a method the default', ledger: 'EXT-choose-method', ask: () => makeDefault(METHOD) },
  { what: 'removes a method', ledger: 'EXT-remove-method', ask: () => removePayment(METHOD) },
  { what: 'checks a coupon', ledger: 'CALL-04', ask: () => (typeCode('PORCH-GIFT'), checkCoupon()) },
  {
    what: 'uses a coupon',
    ledger: 'CALL-05',
    ask: () => (typeCode('PORCH-GIFT'), $redeem.setKey('seletedOption', OPTION), redeemSelectedCoupon()),
  },
  { what: 'covers a camera', ledger: 'CALL-06', ask: () => coverCamera('s1', 'a') },
  { what: 'frees a licence', ledger: 'EXT-unbind', ask: () => unassignLicense('s1', 'a') },
  {
    what: 'moves a licence',
    ledger: 'EXT-move-licence',
    ask: () => transferCameraLicense('s1', { from: 'a', to: 'b', now: 1 }),
  },
  { what: 'says what new cameras do', ledger: 'EXT-set-auto-cover', ask: () => chooseAutoCover(false) },
]

export const MONEY_PANELS: readonly PanelCall[] = [
  {
    what: 'the cameras of the basket',
    ledger: 'CALL-06',
    ask: () => bindDevices('s1', ['a'], 1),
    place: (failure) => (failure as { text?: string } | null)?.text,
  },
  {
    what: 'what pays',
    ledger: 'CALL-11',
    ask: loadPaymentMethods,
    place: () => $payment.get().failure?.text,
  },
  {
    what: 'what was billed',
    ledger: 'CALL-11',
    ask: loadBills,
    place: () => ($bills.get() as { failure?: { text: string } }).failure?.text,
  },
  {
    what: 'the own book',
    ledger: 'EXT-book',
    ask: () => loadMoreOfBook(),
    place: (failure) => (failure as { text: string } | null)?.text,
  },
]

import type { PaymentMethod } from '../../contract/billing/payment-methods-and-invoices.ts'
import type { CouponOption } from '../../contract/billing/coupons.ts'
import { assignLicenses, unassignLicense, transferCameraLicense } from '../../src/stores/billing/license-cart.ts'
import { setAutoAssign } from '../../src/stores/billing/license-manager.ts'
import { assignLicenseToCamera } from '../../src/stores/billing/purchase-confirmation.ts'
import { $invoices, loadInvoices } from '../../src/stores/billing/invoices.ts'
import { loadNextStatementPage } from '../../src/stores/billing/statement.ts'
import {
  $paymentMethods,
  loadPaymentMethods,
  makeMethodDefault,
  removePaymentMethod,
} from '../../src/stores/billing/payment-methods.ts'
import { $redeem, checkCoupon, redeemSelectedCoupon, setTypedCode } from '../../src/stores/billing/coupon-redemption.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const PAYMENT_METHOD: PaymentMethod = {
  method_id: 'm1',
  type: 'card',
  brand: 'visa',
  last_four: '4242',
  name: '',
  ends: null,
  state: 'good',
  is_default: false,
  may_go: true,
  added_at: 1,
}
const COUPON_OPTION: CouponOption = { option_id: 'o1', kind: 'credit', sku: null, value: 2000, changes: [] }

export const BILLING_ACTIONS: readonly StoreCall[] = [
  {
    description: 'makes a payment method the default',
    requirement: 'EXT-choose-method',
    ask: () => makeMethodDefault(PAYMENT_METHOD),
  },
  {
    description: 'removes a payment method',
    requirement: 'EXT-remove-method',
    ask: () => removePaymentMethod(PAYMENT_METHOD),
  },
  { description: 'checks a coupon', requirement: 'CALL-04', ask: () => (setTypedCode('PORCH-GIFT'), checkCoupon()) },
  {
    description: 'uses a coupon',
    requirement: 'CALL-05',
    ask: () => (setTypedCode('PORCH-GIFT'), $redeem.setKey('seletedOption', COUPON_OPTION), redeemSelectedCoupon()),
  },
  { description: 'covers a camera', requirement: 'CALL-06', ask: () => assignLicenseToCamera('s1', 'a') },
  { description: 'unassigns a license', requirement: 'EXT-unbind', ask: () => unassignLicense('s1', 'a') },
  {
    description: 'transfers a license',
    requirement: 'EXT-move-licence',
    ask: () => transferCameraLicense('s1', { from: 'a', to: 'b', now: 1 }),
  },
  {
    description: 'changes automatic license assignment',
    requirement: 'EXT-set-auto-cover',
    ask: () => setAutoAssign(false),
  },
]

export const BILLING_PANELS: readonly PanelCall[] = [
  {
    description: 'the cameras in the license cart',
    requirement: 'CALL-06',
    ask: () => assignLicenses('s1', ['a'], 1),
    readFailure: (failure) => (failure as { text?: string } | null)?.text,
  },
  {
    description: 'the payment methods',
    requirement: 'CALL-11',
    ask: loadPaymentMethods,
    readFailure: () => $paymentMethods.get().failure?.text,
  },
  {
    description: 'the invoices',
    requirement: 'CALL-11',
    ask: loadInvoices,
    readFailure: () => ($invoices.get() as { failure?: { text: string } }).failure?.text,
  },
  {
    description: 'the account statement',
    requirement: 'EXT-book',
    ask: () => loadNextStatementPage(),
    readFailure: (failure) => (failure as { text: string } | null)?.text,
  },
]

import { createMutants, type Mutant } from './mutant.ts'

const coupons = 'tests/unit/provider/billing/coupons/coupon-rules.test.ts'
const gifts = 'tests/unit/provider/billing/ledger/coupons-and-legacy-subscriptions.test.ts'
const leaving = 'tests/unit/provider/billing/ledger/cancel-subscription.test.ts'
const licenses = 'tests/unit/provider/billing/ledger/license-assignment-and-transfer.test.ts'
const cart = 'tests/stores/billing/license-management.test.ts'

const COUPONS: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/coupons/coupon-rules.ts',
    [coupons],
    [
      ['K1', 'a balance of exactly $500 is too much', 'gift.value > BALANCE_MAX', 'gift.value >= BALANCE_MAX'],
      ['K2', 'the last moment of a coupon is too late', 'until < now', 'until <= now'],
      ['K3', 'a used code works in other letters', 'a.toLowerCase() === b.toLowerCase()', 'a === b'],
      ['K4', 'a coupon for some is for everyone', '!coupon.emails.includes(email)', 'coupon.emails.length === 0'],
      ['K5', 'who has paid before is a new customer', '(book.hasPaid || paid)', 'paid'],
      ['K6', 'a discount is refused in the free days', 'if (isRedeemed(gift) && trial)', 'if (trial)'],
      ['K7', 'free months of Unlimited are used up beside Pro', 'mine.tier > theirs.tier', 'mine.tier < theirs.tier'],
      ['K8', 'an ended plan keeps a coupon from being used', '.filter(({ isRunning }) => isRunning)', ''],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/redemption.ts',
    [gifts],
    [
      ['K9', 'free months are for one camera', 'before?.sku === sku ? before.quantity : 1', '1'],
      [
        'K10',
        'free months cover no camera that was covered',
        'if (before?.sku === sku) reassignLicenses',
        'if (!sku) reassignLicenses',
      ],
      ['K11', 'a credit is shown on a fourth bill', 'bills.length < BILLS', 'bills.length <= BILLS'],
      ['K12', 'an account uses a code twice', 'if (used) return used', ''],
      ['K13', 'a credit is owed and not given', "['promotion', value],", "['promotion', 0 - value],"],
    ],
  ),
  ...createMutants(
    'provider/billing/coupons/coupon-rows.ts',
    ['tests/provider/billing/coupons/coupon-holds.test.ts'],
    [
      [
        'K14',
        'two accounts reserve the last use of a coupon',
        "other.user_id <> ?2 AND (other.state = 'used' OR other.expires_at > ?4)",
        "other.user_id <> ?2 AND (other.state = 'used' OR other.expires_at > 2 * ?4)",
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/coupons/coupon-service.ts',
    ['tests/provider/billing/coupons/coupon-redemption.test.ts'],
    [['K15', 'a thousand codes may be guessed', "action: 'coupon', count: 10,", "action: 'coupon', count: 1000,"]],
  ),
]

const LEAVING: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/ledger/cancel-subscription.ts',
    [
      leaving,
      'tests/unit/provider/billing/ledger/account-closing-charges.test.ts',
      'tests/unit/provider/billing/ledger/full-refund.test.ts',
    ],
    [
      ['E1', 'a bill of $0 counts as the first payment', '=> total > 0)', '=> total >= 0)'],
      [
        'E2',
        'a page that knows an older plan cancels it',
        'subscription.revision !== revision',
        'subscription.revision < revision',
      ],
      [
        'E3',
        'a plan of another channel is canceled here',
        "if (subscription.channel !== 'web') return ledgerError(403, 403, 'This plan is cancelled where it was bought.')",
        '',
      ],
      [
        'E4',
        'a failed plan that was left is still owed',
        'voidOverdue(book, subscription, now)\n  const lines',
        'const lines',
      ],
      [
        'E5',
        'a cancellation that is taken back keeps its end',
        '{ ...withoutCancellation(subscription),',
        '{ ...subscription,',
      ],
      ['E6', 'plans of a deleted account keep renewing', 'best && (renews(subscription) ||', 'best && (false &&'],
      ['E16', 'every purchase can be refunded whole again', '&& !hadWholeRefund(ctx.book, subscription, now)', ''],
      ['E7', 'the end of a plan sends no message', '  queuePlanEndedNotification(book, ended, now)\n', ''],
      [
        'E8',
        'a credit note is written when a plan is canceled',
        "if (chosen.way === 'now') return",
        "if (chosen.way !== 'end') return",
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/pause-subscription.ts',
    ['tests/unit/provider/billing/ledger/pause-subscription.test.ts'],
    [
      ['E9', 'a pause is paid for', '...shiftPeriod(subscription, until - now)', '...shiftPeriod(subscription, 0)'],
      [
        'E10',
        'a plan that is past due is paused',
        "subscription.status !== 'active' || subscription.paused",
        'subscription.paused',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/subscription-transitions.ts',
    ['tests/unit/provider/billing/ledger/pause-subscription.test.ts'],
    [
      [
        'E11',
        'a pause that ends early moves dates by all of it',
        'shiftPeriod(subscription, 0 - early)',
        'shiftPeriod(subscription, 0)',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/trial-extension.ts',
    [leaving],
    [['E12', 'free days are made longer a third time', 'used > MAXIMUM', 'used > MAXIMUM + EXTENSION_DAYS']],
  ),
]

const BINDING: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/ledger/licenses.ts',
    [gifts, licenses],
    [
      [
        'W1',
        'more cameras are covered than there are licenses',
        'boundTo(book, subscription_id) >= subscription.quantity',
        'boundTo(book, subscription_id) > subscription.quantity',
      ],
      ['W2', 'a license covers a camera of somebody else', "if (!own.includes(deviceId)) return 'not_yours'", ''],
      ['W3', 'a camera that is gone keeps its license', 'if (!own.includes(device_id)) {', 'if (own.length < 0) {'],
      [
        'W4',
        'a second plan takes a camera that is covered',
        "return other && isLive(other, now) && isCounted(other) ? 'bound' : null",
        'return null',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/license-transfers.ts',
    [licenses],
    [
      [
        'W5',
        'a license that moves goes to the end of the line',
        '{ ...held, device_id: to }',
        '{ ...held, device_id: to, bound_at: now }',
      ],
      ['W6', 'a new camera is covered against a choice', 'book.isEnded() || !isAutoCovered(book)', 'book.isEnded()'],
      [
        'W7',
        'a new camera takes a license of an ended plan',
        'isCounted(candidate) && isLive(candidate, now) && ',
        'isCounted(candidate) && ',
      ],
      [
        'W8',
        'a freed license is not announced',
        "if (entered !== null) toOutbox(book, { kind: 'subscription', id: subscription_id })",
        '',
      ],
      ['W9', 'a moved license covers both cameras', "book.drop(entry, 'licence', from)", ''],
    ],
  ),
  ...createMutants(
    'provider/billing/plans/entitlements.ts',
    ['tests/unit/provider/billing/plans/entitlements.test.ts'],
    [['W10', 'the newest licenses count first', 'a.bound_at - b.bound_at', 'b.bound_at - a.bound_at']],
  ),
  ...createMutants(
    'src/stores/billing/license-cart.ts',
    [cart],
    [
      [
        'W11',
        'a failure stays beside a camera that was taken out',
        'if ($bindResults.get().get(deviceId)?.bound === false) discardResult(deviceId)',
        '',
      ],
      [
        'W12',
        'that no camera is covered is only a warning',
        "if (bound === 0) showToast('error', entry.text)\n  else ",
        '',
      ],
      ['W13', 'a note is kept after its undo', 'discardResult(from)\n  if (failure?.inPlace)', 'if (failure?.inPlace)'],
      [
        'W14',
        'a camera is in the cart twice',
        'if (!cart.some(({ device_id }) => device_id === deviceId)) $bindCart',
        '$bindCart',
      ],
      ['W15', 'a camera that is covered stays in the cart', 'if (bound) removeFromCart(device_mac)', ''],
    ],
  ),
]

export const PLANS: readonly Mutant[] = [...COUPONS, ...LEAVING, ...BINDING]

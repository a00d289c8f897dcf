import { createMutants, type Mutant } from './mutant.ts'

const couponTests = 'tests/unit/provider/billing/coupons/coupon-rules.test.ts'
const redemptionTests = 'tests/unit/provider/billing/ledger/coupons-and-licenses.test.ts'
const cancellationTests = 'tests/unit/provider/billing/ledger/cancel-subscription.test.ts'
const licenseTests = 'tests/unit/provider/billing/ledger/license-assignment-and-transfer.test.ts'
const cartTests = 'tests/stores/billing/license-management.test.ts'

const COUPON_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/coupons/coupon-rules.ts',
    [couponTests],
    [
      [
        'K1',
        'a balance of exactly $500 is rejected',
        'benefit.value > BALANCE_MAX_CENTS',
        'benefit.value >= BALANCE_MAX_CENTS',
      ],
      ['K2', 'a coupon is rejected in its last millisecond', 'until < now', 'until <= now'],
      ['K3', 'a used code works again in another case', 'a.toLowerCase() === b.toLowerCase()', 'a === b'],
      [
        'K4',
        'a restricted coupon works for every account',
        '!coupon.emails.includes(email)',
        'coupon.emails.length === 0',
      ],
      ['K5', 'an account that has paid before counts as a new customer', '(book.hasPaid || paid)', 'paid'],
      ['K6', 'a discount is rejected during the free trial', 'if (isRedeemedAlone(benefit) && trial)', 'if (trial)'],
      [
        'K7',
        'free months of Unlimited are consumed while Pro is active',
        'mine.tier > theirs.tier',
        'mine.tier < theirs.tier',
      ],
      ['K8', 'an ended plan blocks a coupon', '.filter(({ isRunning }) => isRunning)', ''],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/redemption.ts',
    [redemptionTests],
    [
      ['K9', 'free months cover only one camera', 'before?.sku === sku ? before.quantity : 1', '1'],
      [
        'K10',
        'free months drop the cameras that were covered',
        'if (before?.sku === sku) reassignLicenses',
        'if (!sku) reassignLicenses',
      ],
      [
        'K11',
        'a credit preview shows a fourth invoice',
        'bills.length < MAX_PREVIEW_INVOICES',
        'bills.length <= MAX_PREVIEW_INVOICES',
      ],
      ['K12', 'an account can use a code twice', 'if (used) return used', ''],
      ['K13', 'a credit is posted with the wrong sign', "['promotion', value],", "['promotion', 0 - value],"],
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

const CANCELLATION_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/ledger/cancel-subscription.ts',
    [
      cancellationTests,
      'tests/unit/provider/billing/ledger/past-due-subscriptions.test.ts',
      'tests/unit/provider/billing/ledger/account-closing-charges.test.ts',
      'tests/unit/provider/billing/ledger/full-refund.test.ts',
    ],
    [
      ['E1', 'an invoice of $0 counts as the first payment', '=> total > 0)', '=> total >= 0)'],
      [
        'E2',
        'a page with an outdated plan revision can cancel it',
        'subscription.revision !== revision',
        'subscription.revision < revision',
      ],
      [
        'E3',
        'a plan of another channel is canceled here',
        "if (subscription.channel !== 'web') return createLedgerError(403, 403, 'Cancel this plan where you bought it.')",
        '',
      ],
      [
        'E4',
        'a canceled past-due plan is still owed',
        'voidOpenInvoice(book, subscription, now)\n  const lines',
        'const lines',
      ],
      [
        'E5',
        'an undone cancellation keeps its end date',
        '{ ...removeCancellation(subscription),',
        '{ ...subscription,',
      ],
      ['E6', 'plans of a deleted account keep renewing', 'best && (willRenew(subscription) ||', 'best && (false &&'],
      [
        'E16',
        'every purchase can be refunded in full again',
        ' &&\n    !hadWholeRefund(ctx.book, subscription, now)',
        '',
      ],
      ['E7', 'the end of a plan sends no message', '  queuePlanEndedNotification(book, ended, now)\n', ''],
      [
        'E8',
        'canceling at the period end writes a credit note',
        "if (chosen.way === 'now')",
        "if (chosen.way !== 'end')",
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/pause-subscription.ts',
    ['tests/unit/provider/billing/ledger/pause-subscription.test.ts'],
    [
      [
        'E9',
        'a pause does not extend the paid period',
        '...shiftPeriod(subscription, until - now)',
        '...shiftPeriod(subscription, 0)',
      ],
      [
        'E10',
        'a past-due plan can be paused',
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
        'a pause that ends early moves dates by its full length',
        'shiftPeriod(subscription, 0 - early)',
        'shiftPeriod(subscription, 0)',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/trial-extension.ts',
    ['tests/unit/provider/billing/ledger/trial-extension.test.ts'],
    [
      [
        'E12',
        'a free trial can be extended a third time',
        'used > MAX_EXTENSION_DAYS',
        'used > MAX_EXTENSION_DAYS + TRIAL_EXTENSION_DAYS',
      ],
    ],
  ),
]

const LICENSE_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/ledger/licenses.ts',
    [redemptionTests, licenseTests],
    [
      [
        'W1',
        'more cameras are covered than there are licenses',
        'countAssignedLicenses(store, subscription_id) >= subscription.quantity',
        'countAssignedLicenses(store, subscription_id) > subscription.quantity',
      ],
      ['W2', 'a license covers a camera of another account', "if (!own.includes(deviceId)) return 'not_yours'", ''],
      ['W3', 'a removed camera keeps its license', 'if (!own.includes(device_id)) {', 'if (own.length < 0) {'],
      [
        'W4',
        'a second plan can take a covered camera',
        "return other && hasAccess(other, now) && isLicensedPerCamera(other) ? 'bound' : null",
        'return null',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/ledger/license-transfers.ts',
    [licenseTests],
    [
      [
        'W5',
        'a moved license loses its position in the order',
        '{ ...license, device_id: to }',
        '{ ...license, device_id: to, bound_at: now }',
      ],
      [
        'W6',
        'a new camera is covered although automatic coverage is off',
        'store.isEnded() || !isAutoAssignmentOn(store)',
        'store.isEnded()',
      ],
      [
        'W7',
        'a new camera takes a license of an ended plan',
        '        hasAccess(candidate, now) &&\n        countAssignedLicenses',
        '        countAssignedLicenses',
      ],
      [
        'W8',
        'a freed license is not announced',
        "if (entryId !== null) addToOutbox(store, { kind: 'subscription', id: subscription_id })",
        '',
      ],
      ['W9', 'a moved license covers both cameras', "store.deleteRecord(entry, 'licence', from)", ''],
    ],
  ),
  ...createMutants(
    'provider/billing/plans/entitlements.ts',
    ['tests/unit/provider/billing/plans/entitlements.test.ts'],
    [['W10', 'the newest licenses count first', 'a.bound_at - b.bound_at', 'b.bound_at - a.bound_at']],
  ),
  ...createMutants(
    'src/stores/billing/license-cart.ts',
    [cartTests],
    [
      [
        'W11',
        'the error of a camera stays after its removal from the cart',
        'if ($assignmentResults.get().get(deviceId)?.bound === false) discardResult(deviceId)',
        '',
      ],
      [
        'W12',
        'a result with no covered camera is only a warning',
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
      ['W15', 'a covered camera stays in the cart', 'if (bound) removeFromCart(device_mac)', ''],
    ],
  ),
]

export const PLAN_MUTANTS: readonly Mutant[] = [...COUPON_MUTANTS, ...CANCELLATION_MUTANTS, ...LICENSE_MUTANTS]

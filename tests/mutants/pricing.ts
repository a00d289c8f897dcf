import { createMutants, type Mutant } from './mutant.ts'

const pricingTests = 'tests/unit/provider/billing/pricing/pricing-rules.test.ts'
const cancellationTests = 'tests/unit/provider/billing/ledger/cancel-subscription.test.ts'

/** Mutants of the code for prices, taxes and billing periods. */
export const PRICING_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/pricing/tax.ts',
    [pricingTests],
    [
      [
        'N1',
        'refunded tax is rounded toward 0',
        '0 - divideHalfUp(-amount * basisPoints',
        'divideHalfUp(amount * basisPoints',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/quote.ts',
    [pricingTests],
    [
      [
        'N2',
        'half a cent of a discount is dropped',
        'divideHalfUp(line * value, 100)',
        'Math.floor((line * value) / 100)',
      ],
      ['N3', 'a coupon takes off more than the price', 'Math.min(line, Math.max(0, off))', 'Math.max(0, off)'],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/proration.ts',
    [pricingTests],
    [
      [
        'N4',
        'a second that has started counts as unused',
        'Math.floor((until - now) / 1000)',
        'Math.ceil((until - now) / 1000)',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/billing-period.ts',
    [pricingTests],
    [['N5', 'a month after January 31 is in March', 'Math.min(from.getUTCDate(), lastDay)', 'from.getUTCDate()']],
  ),
  ...createMutants(
    'provider/billing/pricing/plan-change.ts',
    [pricingTests],
    [
      [
        'N6',
        'a change of a past-due plan waits for the end of the unpaid period',
        "from?.status !== 'past_due' && ",
        '',
      ],
      ['N7', 'a canceled plan can discard its next period', "from.status === 'active' && isSame", 'isSame'],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/quote.ts',
    [pricingTests],
    [
      ['N8', 'a credit note reduces the balance', 'Math.max(0, Math.min(balance, total))', 'Math.min(balance, total)'],
      [
        'N9',
        'free trial days are charged',
        'request.isLater || request.isTrial || request.isUndo',
        'request.isLater || request.isUndo',
      ],
      ['N10', 'a scheduled plan starts today', 'request.isLater && changed ? changed.until : from', 'from'],
      [
        'N31',
        'rounding of tax returns a cent more than was paid',
        'computeTax(plan.amount - discountCents, taxBasisPoints) - plan.tax',
        'computeTax(-discountCents, taxBasisPoints)',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/unused-time.ts',
    [cancellationTests],
    [
      ['N11', 'day 15 still gives a full refund', 'now < firstCharge +', 'now <= firstCharge +'],
      ['N12', 'the current month is refunded too', 'ended === -1 ? 12 : ended + 1', 'ended === -1 ? 12 : ended'],
    ],
  ),
]

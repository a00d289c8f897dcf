import { createMutants, type Mutant } from './mutant.ts'

const rules = 'tests/unit/provider/billing/pricing/pricing-rules.test.ts'
const leaving = 'tests/unit/provider/billing/ledger/cancel-subscription.test.ts'

/** Mutants of the code for prices, taxes and billing periods. */
export const PRICING: readonly Mutant[] = [
  ...createMutants(
    'provider/billing/pricing/tax.ts',
    [rules],
    [
      [
        'N1',
        'tax that is given back is rounded toward 0',
        '0 - half(-amount * basisPoints',
        'half(amount * basisPoints',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/discount.ts',
    [rules],
    [
      ['N2', 'half a cent of a discount is dropped', 'half(line * value, 100)', 'Math.floor((line * value) / 100)'],
      ['N3', 'a coupon takes off more than the price', 'Math.min(line, Math.max(0, off))', 'Math.max(0, off)'],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/proration.ts',
    [rules],
    [
      [
        'N4',
        'a second that has begun is unused',
        'Math.floor((until - now) / 1000)',
        'Math.ceil((until - now) / 1000)',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/billing-period.ts',
    [rules],
    [['N5', 'a month after January 31 is in March', 'Math.min(from.getUTCDate(), lastDay)', 'from.getUTCDate()']],
  ),
  ...createMutants(
    'provider/billing/pricing/plan-change.ts',
    [rules],
    [
      ['N6', 'a plan that is past due waits for the end of what nobody paid', "from?.status !== 'past_due' && ", ''],
      ['N7', 'a plan that is canceled calls off its next period', "from.status === 'active' && isSame", 'isSame'],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/quote.ts',
    [rules],
    [
      [
        'N8',
        'a credit note takes from the balance',
        'Math.max(0, Math.min(balance, total))',
        'Math.min(balance, total)',
      ],
      ['N9', 'free days are charged', 'ask.isLater || ask.isTrial || ask.isUndo', 'ask.isLater || ask.isUndo'],
      ['N10', 'a later plan begins today', 'ask.isLater && changed ? changed.until : from', 'from'],
      [
        'N31',
        'rounding of tax returns a cent more than was paid',
        'taxFor(plan.amount - off, taxBasisPoints) - plan.tax',
        'taxFor(-off, taxBasisPoints)',
      ],
    ],
  ),
  ...createMutants(
    'provider/billing/pricing/unused-time.ts',
    [leaving],
    [
      ['N11', 'day 15 still brings all of it back', 'now < firstCharge +', 'now <= firstCharge +'],
      ['N12', 'the month that runs comes back too', 'ended === -1 ? 12 : ended + 1', 'ended === -1 ? 12 : ended'],
    ],
  ),
]

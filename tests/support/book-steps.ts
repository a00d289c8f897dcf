import fc from 'fast-check'
import type { GatewayFault } from './book.ts'

export type BillingStep =
  | {
      do: 'buy'
      sku: 'cam-ai' | 'unlimited' | 'pro' | 'hms'
      annual: boolean
      quantity: number
      off: number
      trial: boolean
    }
  | { do: 'again' }
  | { do: 'coupon'; kind: 'credit' | 'free_months' | 'bonus'; sku: 'cam-ai' | 'unlimited' | 'pro'; value: number }
  | { do: 'wait'; days: number; seconds: number }
  | { do: 'fail'; faults: GatewayFault[] }
  | { do: 'kill'; after: number }
  | { do: 'card'; cardAction: 'add' | 'choose' | 'remove'; methodIndex: number }
  | { do: 'bind'; cameras: number[] }
  | { do: 'leave'; way: number }
  | { do: 'stay' | 'resume' | 'extend' }
  | { do: 'pause'; months: number }
  | { do: 'mend'; methodIndex: number }
  | { do: 'clock'; days: number }

const faultArbitrary = fc.constantFrom<GatewayFault[]>(
  'ok',
  'down',
  'lost',
  'lost',
  'pending',
  'declined',
  'killed before',
  'killed after',
)
const purchaseStepArbitrary = fc.record({
  do: fc.constant('buy' as const),
  sku: fc.constantFrom('cam-ai' as const, 'unlimited' as const, 'pro' as const, 'hms' as const),
  annual: fc.boolean(),
  quantity: fc.integer({ min: 1, max: 5 }),
  off: fc.constantFrom(0, 0, 20, 100, 733),
  trial: fc.constantFrom(false, false, false, true),
})
const subscriptionStepArbitrary: fc.Arbitrary<BillingStep> = fc.oneof(
  fc.record({ do: fc.constant('leave' as const), way: fc.nat(1) }),
  fc.record({ do: fc.constantFrom('stay' as const, 'stay' as const, 'resume' as const, 'extend' as const) }),
  fc.record({ do: fc.constant('pause' as const), months: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('mend' as const), methodIndex: fc.nat(3) }),
  fc.record({ do: fc.constant('clock' as const), days: fc.constantFrom(3, 20, 45, 400) }),
)
/** Random step of a billing property test. Common steps have a higher weight. */
export const billingStepArbitrary: fc.Arbitrary<BillingStep> = fc.oneof(
  { weight: 5, arbitrary: subscriptionStepArbitrary },
  { weight: 6, arbitrary: purchaseStepArbitrary },
  { weight: 2, arbitrary: fc.constant({ do: 'again' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('coupon' as const),
      kind: fc.constantFrom('credit' as const, 'free_months' as const, 'bonus' as const),
      sku: fc.constantFrom('cam-ai' as const, 'unlimited' as const, 'pro' as const),
      value: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      days: fc.constantFrom(0, 0, 1, 2, 5, 11, 31, 70),
      seconds: fc.integer({ min: 1, max: 86_400 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      faults: fc.oneof(
        fc.array(faultArbitrary, { maxLength: 4 }),
        fc.constant(Array<GatewayFault>(9).fill('declined')),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const), after: fc.integer({ min: 0, max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('card' as const),
      cardAction: fc.constantFrom('add' as const, 'choose' as const, 'remove' as const),
      methodIndex: fc.nat(3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('bind' as const), cameras: fc.array(fc.nat(6), { maxLength: 4 }) }),
  },
)

import { useStore } from '@nanostores/react'
import { CURRENCY } from '../../../../contract/billing/amounts.ts'
import { TRIAL_DAYS, type Period } from '../../../../contract/billing/money.ts'
import { priceLabel, savingText } from '../../../domain/copy/plan-page.ts'
import { $catalog, getPlanPrice } from '../../../stores/billing/plan-catalog.ts'
import { choosePeriod, chooseTrial, type Checkout } from '../../../stores/billing/checkout.ts'
import { $currency } from '../../../stores/billing/currency.ts'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { NumberedStep } from '../../../ui/NumberedSteps.tsx'
import { getFieldId } from './missing-fields.ts'

const PERIOD_NAMES: Record<Period, string> = { monthly: 'Monthly', annual: 'Annual' }

interface PeriodStepProps {
  readonly number: number
  readonly checkout: Checkout
  /** True until the subscriptions have loaded. */
  readonly isWaiting: boolean
}

/**
 * Choice of monthly or annual billing. For a new subscription with a license per camera, also offers the free trial,
 * once per account. Until the catalog says so, the trial is a skeleton of the same size. Preselects only what the URL or
 * an earlier choice names.
 */
export function PeriodStep({ number, checkout, isWaiting }: PeriodStepProps) {
  const catalog = useStore($catalog)
  const currency = useStore($currency, { ssr: () => CURRENCY })
  const { form, own } = checkout
  const { sku, period, trial, quantity } = form
  const prices = getPlanPrice(catalog, sku)
  // While a quantity is typed, it can be invalid.
  const count = Number.isInteger(quantity) ? quantity : 1
  const saving = savingText(prices.monthly * count, prices.annual * count, 'home', currency)
  const isTrialPending = isWaiting || catalog.state === 'loading'
  const canHaveTrial = sku === 'cam-ai' && own === null
  const hasTrial = canHaveTrial && (isTrialPending || (catalog.state === 'ready' && catalog.trial))
  const isCurrent = (option: Period) => own?.sku === sku && own.period === option && own.status !== 'trial'
  const renderChoice = (option: Period) => (
    <Choice
      name="period"
      checked={!trial && period === option}
      onChange={() => choosePeriod(option)}
      title={PERIOD_NAMES[option]}
      note={priceLabel(prices[option], sku, currency)}
      end={
        isCurrent(option) ? (
          <span className="badge badge-success">Current</span>
        ) : (
          option === 'annual' && saving && <span className="badge badge-success">{saving}</span>
        )
      }
    />
  )
  return (
    <NumberedStep number={number} title="Billing period">
      <div id={getFieldId('period')}>
        <Choices legend="Billing period" isLegendHidden columns={2}>
          {renderChoice('monthly')}
          {renderChoice('annual')}
          {hasTrial && (
            <div
              className={isTrialPending ? 'skeleton *:invisible' : 'contents'}
              aria-hidden={isTrialPending || undefined}
            >
              <Choice
                name="period"
                checked={trial}
                onChange={() => chooseTrial()}
                title={`${TRIAL_DAYS}-day free trial`}
                note="For one camera. No card needed. Ends automatically."
              />
            </div>
          )}
        </Choices>
      </div>
    </NumberedStep>
  )
}

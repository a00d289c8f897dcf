import { useStore } from '@nanostores/react'
import { TRIAL_DAYS, type Period } from '../../../../contract/billing/money.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { priceLabel, savingText } from '../../../domain/copy/plan-page.ts'
import { $catalog, getPlanPrice } from '../../../stores/billing/plan-catalog.ts'
import { choosePeriod, chooseTrial, type Checkout } from '../../../stores/billing/checkout.ts'
import { $currency } from '../../../stores/billing/currency.ts'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { NumberedStep } from '../../../ui/NumberedSteps.tsx'
import { getFieldId } from './missing-fields.ts'

const PERIOD_NAMES: Record<Period, string> = { monthly: 'Monthly', annual: 'Annual' }

/**
 * Choice of monthly or annual payment. For a new subscription with a license per camera, also offers the free trial,
 * once per account. Preselects only what the URL or an earlier choice names.
 */
export function PeriodStep({ number, checkout }: { number: number; checkout: Checkout }) {
  const catalog = useStore($catalog)
  const currency = useStore($currency)
  const { form, own } = checkout
  const { sku, period, trial } = form
  const prices = getPlanPrice(catalog, sku)
  const saving = savingText(prices.monthly, prices.annual, getPlan(sku).per, currency)
  const hasTrial = sku === 'cam-ai' && own === null && catalog.state === 'ready' && catalog.trial
  const renderChoice = (option: Period) => (
    <Choice
      name="period"
      checked={!trial && period === option}
      onChange={() => choosePeriod(option)}
      title={PERIOD_NAMES[option]}
      note={`${priceLabel(prices[option], sku, currency)}${own?.sku === sku && own.period === option && own.status !== 'trial' ? ', now' : ''}`}
      end={option === 'annual' && saving && <span className="badge badge-success">{saving}</span>}
    />
  )
  return (
    <NumberedStep number={number} title="How you pay">
      <div id={getFieldId('period')}>
        <Choices legend="How you pay" isLegendHidden columns={2}>
          {renderChoice('monthly')}
          {renderChoice('annual')}
          {hasTrial && (
            <Choice
              name="period"
              checked={trial}
              onChange={() => chooseTrial()}
              title={`Try it for ${TRIAL_DAYS} days`}
              note="One camera, no card, once. It ends automatically."
              end={<span className="badge badge-success">Free</span>}
            />
          )}
        </Choices>
      </div>
    </NumberedStep>
  )
}

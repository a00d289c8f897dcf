import { useStore } from '@nanostores/react'
import Calendar from 'lucide-react/icons/calendar'
import Download from 'lucide-react/icons/download'
import { useEffect, useMemo, useState } from 'react'
import type { Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { filterInvoicesByYear, listInvoiceYears, collectedCents } from '../../../domain/copy/invoice-status.ts'
import { CURRENCY, getCurrencyName, formatMoney } from '../../../../contract/billing/amounts.ts'
import { $invoices, loadInvoices } from '../../../stores/billing/invoices.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { InvoiceTable } from './InvoiceTable.tsx'
import { StatementPanel } from './StatementPanel.tsx'
import { NoInvoices } from './NoInvoices.tsx'
import { OpenInvoice } from './OpenInvoice.tsx'

const BILLING_PATH = '/account/billing'

export function BillingPage() {
  // Hydrates with the initial value of the store, so that the first render matches the prerendered document.
  const invoices = useStore($invoices, { ssr: 'initial' })
  useEffect(() => void loadInvoices(), [])
  if (invoices.state === 'ready') return <InvoiceList bills={invoices.bills} />
  return (
    <section className="bills" aria-labelledby="bills-title" aria-busy={invoices.state === 'loading'}>
      <header className="bills-head">
        <h2 id="bills-title">Invoices</h2>
      </header>
      <div className="card bills-waiting">
        {invoices.state === 'loading' && <RowsSkeleton rows={5} label="Loading your invoices" />}
        {invoices.state === 'failed' && (
          <LoadError
            title="We couldn’t load your invoices"
            text={`${invoices.failure.text} Your payments aren’t affected.`}
            onRetry={() => void loadInvoices()}
          />
        )}
      </div>
    </section>
  )
}

function InvoiceList({ bills: all }: { bills: readonly Invoice[] }) {
  const [plan] = useState(() => new URLSearchParams(location.search).get('subscription'))
  const bills = useMemo(() => all.filter((bill) => plan === null || bill.subscription_id === plan), [all, plan])
  const years = useMemo(() => listInvoiceYears(bills), [bills])
  const [chosen, choose] = useState<number | 'all' | null>(null)
  const year = chosen === 'all' ? null : (chosen ?? years[0] ?? null)
  const visibleBills = useMemo(() => filterInvoicesByYear(bills, year), [bills, year])
  const open = bills.find(({ state }) => state === 'open')
  return (
    <>
      <section className="bills" aria-labelledby="bills-title">
        <header className="bills-head">
          <h2 id="bills-title">Invoices</h2>
          {visibleBills.length > 0 && <p className="bills-sum">{totalText(visibleBills, year)}</p>}
          {bills.length > 0 && <YearFilter years={years} year={year} choose={choose} />}
          {bills.length > 0 && <DownloadInvoicesButton bills={bills} />}
        </header>
        {plan !== null && (
          <p className="hint-strip">
            <span>
              Showing invoices for one plan.{' '}
              <a className="link" href={BILLING_PATH}>
                Show all invoices
              </a>
            </span>
          </p>
        )}
        {open && <OpenInvoice bill={open} />}
        {visibleBills.length > 0 ? <InvoiceTable bills={visibleBills} /> : <NoInvoices isFiltered={plan !== null} />}
      </section>
      {all.length > 0 && <StatementPanel />}
    </>
  )
}

/** Formats the sum of card charges less refunds: `$51.13 so far in 2026 (US dollars)`. */
function totalText(bills: readonly Invoice[], year: number | null): string {
  const sum = formatMoney(bills.reduce((all, bill) => all + collectedCents(bill), 0))
  if (year === null) return `${sum} total (${getCurrencyName(CURRENCY, 'many')})`
  const isRunning = year >= new Date().getFullYear()
  return `${sum} ${isRunning ? 'so far ' : ''}in ${year} (${getCurrencyName(CURRENCY, 'many')})`
}

interface YearFilterProps {
  years: readonly number[]
  year: number | null
  choose: (year: number | 'all') => void
}

function YearFilter({ years, year, choose }: YearFilterProps) {
  return (
    <label className="chip bills-year">
      <Calendar size={16} aria-hidden="true" />
      <span className="sr-only">Year</span>
      <select
        value={year ?? 'all'}
        onChange={({ target: { value } }) => choose(value === 'all' ? 'all' : Number(value))}
      >
        {years.map((optionYear) => (
          <option key={optionYear} value={optionYear}>
            {optionYear}
          </option>
        ))}
        <option value="all">All years</option>
      </select>
    </label>
  )
}

function DownloadInvoicesButton({ bills }: { bills: readonly Invoice[] }) {
  const { isBusy, run } = useAction()
  const save = () =>
    run(() => import('../../../stores/billing/save-invoices.ts').then((file) => file.saveInvoicesCsv(bills)))
  return (
    <button
      type="button"
      className="btn btn-outline btn-sm bills-save"
      aria-disabled={isBusy || undefined}
      onClick={() => void save()}
    >
      <Download size={16} aria-hidden="true" />
      <span>Download all</span>
    </button>
  )
}

import { useStore } from '@nanostores/react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Printer from 'lucide-react/icons/printer'
import { useEffect, useState } from 'react'
import { $bills, loadBills } from '../../../stores/commerce/bills.ts'
import { Failed } from '../../../ui/Failed.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { Paper } from './Paper.tsx'

export function InvoicePage() {
  const known = useStore($bills, { ssr: 'initial' })
  const [number] = useState(() => new URLSearchParams(location.search).get('bill') ?? '')
  useEffect(() => void loadBills(), [])
  const bills = known.state === 'ready' ? known.bills : []
  const bill = bills.find((one) => one.bill === number)
  return (
    <>
      <div className="invoice-tools">
        <a className="btn btn-sm" href="/account/billing">
          <ArrowLeft size={16} aria-hidden="true" />
          All invoices
        </a>
        {bill && (
          <button type="button" className="btn btn-primary btn-sm" onClick={() => window.print()}>
            <Printer size={16} aria-hidden="true" />
            Print
          </button>
        )}
      </div>
      {known.state === 'ready' && bill && (
        <Paper
          bill={bill}
          seller={known.seller}
          note={bills.find(({ refers_to }) => refers_to === bill.bill) ?? null}
        />
      )}
      {known.state === 'ready' && !bill && (
        <div className="panel empty-state">
          <h1>No such invoice</h1>
          <p className="text-ink-2">
            This account has no invoice with that number. Your invoices are all there: choose one from the list.
          </p>
        </div>
      )}
      {known.state === 'loading' && (
        <div className="paper" aria-busy="true">
          <RowsSkeleton rows={4} label="Loading the bill" />
        </div>
      )}
      {known.state === 'failed' && (
        <div className="paper">
          <Failed
            title="The invoice could not be loaded"
            text={`${known.failure.text} Nothing is lost, and nothing was charged.`}
            again={() => void loadBills()}
          />
        </div>
      )}
    </>
  )
}

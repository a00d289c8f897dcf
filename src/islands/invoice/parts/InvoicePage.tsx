import { useStore } from '@nanostores/react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Printer from 'lucide-react/icons/printer'
import { useEffect, useState } from 'react'
import type { Invoice, Seller } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { isLatestPaidInvoice, listNextChargeTexts } from '../../../domain/copy/invoice-next-charge.ts'
import { $invoices, loadInvoices } from '../../../stores/billing/invoices.ts'
import { $paymentMethods, loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { $catalog, loadCatalog } from '../../../stores/billing/plan-catalog.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { PrintedInvoice } from './PrintedInvoice.tsx'

export function InvoicePage() {
  const invoices = useStore($invoices, { ssr: 'initial' })
  const payment = useStore($paymentMethods, { ssr: 'initial' })
  useEffect(() => {
    void loadInvoices()
    void loadPaymentMethods()
    void loadCatalog()
  }, [])
  // Waits for the next charge too, because it would move the notes beside it.
  const isReady = payment.isLoaded || payment.failure !== null
  if (invoices.state === 'ready' && isReady) return <SelectedInvoice bills={invoices.bills} seller={invoices.seller} />
  return (
    <>
      <InvoiceToolbar canPrint={false} />
      <div className="paper" aria-busy={invoices.state !== 'failed'}>
        {invoices.state !== 'failed' && <RowsSkeleton rows={4} label="Loading the invoice" />}
        {invoices.state === 'failed' && (
          <LoadError
            title="We couldn’t load the invoice"
            text={`${invoices.failure.text} Your payments aren’t affected.`}
            onRetry={() => void loadInvoices()}
          />
        )}
      </div>
    </>
  )
}

function SelectedInvoice({ bills, seller }: { bills: readonly Invoice[]; seller: Seller }) {
  const [number] = useState(() => new URLSearchParams(location.search).get('bill'))
  const bill = bills.find((invoice) => invoice.bill === number)
  const payment = useStore($paymentMethods)
  const catalog = useStore($catalog)
  const nextCharge = bill && isLatestPaidInvoice(bill, bills) ? listNextChargeTexts(bill, payment) : []
  const creditNote = bills.find(({ refers_to }) => refers_to !== null && refers_to === number) ?? null
  return (
    <>
      <InvoiceToolbar canPrint={bill !== undefined} />
      {bill && (
        <PrintedInvoice
          bill={bill}
          seller={seller}
          creditNote={creditNote}
          invoices={bills}
          nextCharge={nextCharge}
          taxBasisPoints={catalog.state === 'ready' ? catalog.tax_basis_points : null}
        />
      )}
      {!bill && (
        <div className="panel empty-state">
          <h1>Invoice not found</h1>
          <p className="text-ink-2">
            Your account has no invoice with this number. Go to All invoices to find the right one.
          </p>
        </div>
      )}
    </>
  )
}

function InvoiceToolbar({ canPrint }: { canPrint: boolean }) {
  return (
    <div className="invoice-tools">
      <a className="btn btn-sm" href="/account/billing">
        <ArrowLeft size={16} aria-hidden="true" />
        All invoices
      </a>
      {canPrint && (
        <button type="button" className="btn btn-primary btn-sm" onClick={() => window.print()}>
          <Printer size={16} aria-hidden="true" />
          Print
        </button>
      )}
    </div>
  )
}

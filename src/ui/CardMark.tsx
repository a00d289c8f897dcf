import type { PaymentMethod } from '../../contract/billing/payment-methods-and-invoices.ts'

type CardBrand = PaymentMethod['brand']

const BRAND_TEXTS: Partial<Record<CardBrand, string>> = { visa: 'VISA', amex: 'AMEX', discover: 'DISC' }

/** Logo of a card brand or wallet, 40 by 26 px, hidden from screen readers. The caller must show the brand's name. */
export function CardMark({ brand }: { brand: CardBrand }) {
  return (
    <svg className="card-mark" data-brand={brand} width="40" height="26" viewBox="0 0 40 26" aria-hidden="true">
      <rect width="40" height="26" rx="6" />
      <BrandSymbol brand={brand} />
    </svg>
  )
}

function BrandSymbol({ brand }: { brand: CardBrand }) {
  if (brand === 'mastercard')
    return (
      <>
        <circle cx="16" cy="13" r="6.5" fill="#e5432d" />
        <circle cx="24" cy="13" r="6.5" fill="#f2a63b" fillOpacity=".88" />
      </>
    )
  if (brand === 'wallet')
    return (
      <path
        d="M15 9.5h9.5a1 1 0 0 1 1 1V12M15 9.5a1.5 1.5 0 0 1 0-3h8.5v3M13.5 8v9.5a1.5 1.5 0 0 0 1.5 1.5h10a1 1 0 0 0 1-1v-2.5M26.5 12h-3a1.75 1.75 0 0 0 0 3.5h3z"
        fill="none"
        stroke="#fff"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    )
  return (
    <text x="20" y="17" textAnchor="middle" fill="#fff">
      {BRAND_TEXTS[brand]}
    </text>
  )
}

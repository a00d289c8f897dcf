import { useStore } from '@nanostores/react'
import Info from 'lucide-react/icons/info'
import Sparkles from 'lucide-react/icons/sparkles'
import { useState } from 'react'
import { planOf } from '../../../../contract/catalogue.ts'
import { otherWords, ownWords } from '../../../domain/plan-page-words.ts'
import { shownQuote, type Checkout } from '../../../stores/commerce/checkout.ts'
import { $otherPlans, $running } from '../../../stores/commerce/own.ts'

/** What the account has already, and what becomes of it; plans of other channels with where they are changed. */
export function OwnStrip({ checkout }: { checkout: Checkout }) {
  const others = useStore($otherPlans)
  // What cannot be changed here is not bought a second time.
  const twice = useStore($running).find(({ sku }) => sku === 'hms' && sku === checkout.form.sku)
  const [now] = useState(Date.now)
  const { own, form } = checkout
  const words = own && ownWords(own, form, shownQuote(), now)
  return (
    <>
      {words && (
        <p className="own-strip">
          <span className="own-icon">
            <Sparkles size={20} aria-hidden="true" />
          </span>
          <span>
            You have <b>{words.have}</b>, {words.more}
          </span>
        </p>
      )}
      {twice && (
        <p className="hint-strip own-other">
          <Info size={18} aria-hidden="true" />
          <span>
            You have <b>{planOf(twice.sku).name}</b> already, and it goes on as it is.{' '}
            <a className="link" href="/account/services">
              See your services
            </a>
          </span>
        </p>
      )}
      {others.map((one) => {
        const { have, more } = otherWords(one, now)
        return (
          <p key={one.subscription_id} className="hint-strip own-other">
            <Info size={18} aria-hidden="true" />
            <span>
              You also have <b>{have}</b>, {more}
            </span>
          </p>
        )
      })}
    </>
  )
}

import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { claimSearchPopup } from '../../../stores/search/search-popups.ts'
import { $searchSettings } from '../../../stores/search/search-settings.ts'
import { Lamp } from './Lamp.tsx'
import { OneTimeHint } from './OneTimeHint.tsx'

/** Search view before the first query. If the account has never searched, explains what the search can find. */
export function SearchEmptyState() {
  const { isFirst } = useStore($searchSettings)
  return (
    <div className="search-middle">
      <PromptHint />
      <Lamp size={56} />
      <h2>What are you looking for?</h2>
      {isFirst ? (
        <>
          <p>Describe it in your own words. For example:</p>
          <ul className="search-how">
            <li>
              <b>Who</b> a person, a dog, someone you’ve named
            </li>
            <li>
              <b>What</b> a box, a red car, someone ringing the bell
            </li>
            <li>
              <b>Where</b> at the front door, on the driveway
            </li>
            <li>
              <b>When</b> at night, yesterday after 10 PM, or the dates you choose above
            </li>
          </ul>
        </>
      ) : (
        <p>Describe it in your own words, or repeat one of your searches.</p>
      )}
    </div>
  )
}

function PromptHint() {
  const [isShown, setShown] = useState(false)
  useEffect(() => void claimSearchPopup('prompt').then((isDue) => isDue && setShown(true)), [])
  if (!isShown) return null
  return (
    <OneTimeHint className="search-hint-prompt" onClose={() => setShown(false)}>
      Combine details, like “a dog at the front door last night”
    </OneTimeHint>
  )
}

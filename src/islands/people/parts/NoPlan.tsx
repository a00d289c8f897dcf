import type { HomePeople } from '../../../../contract/events/people.ts'
import { ForgetEveryone } from './RecognitionCard.tsx'
import type { PeopleDialogState } from './PeopleDialog.tsx'

/**
 * Shown if no camera of the home has a plan with recognition: explains the benefits and links to the plans. Also offers
 * to delete the names and face data that are still stored.
 */
export function NoPlan({ home, open }: { home: HomePeople; open: (dialog: PeopleDialogState) => void }) {
  return (
    <div className="card recognition-card">
      <h3>See who was there</h3>
      <p>
        Name a person once, and their name appears on clips and in search. No camera in this home has a plan with
        recognition. Recognition works on demo cameras and on cameras with a describer (a program that adds descriptions
        to clips).
      </p>
      <p>
        <a className="btn btn-primary" href="/account/products/choose">
          Explore plans
        </a>
      </p>
      {home.people.length > 0 && <ForgetEveryone open={open} />}
    </div>
  )
}

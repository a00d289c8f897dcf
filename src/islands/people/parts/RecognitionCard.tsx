import { useId } from 'react'
import type { HomePeople } from '../../../../contract/events/people.ts'
import { peoplePlans } from '../../../domain/events/people-labels.ts'
import { switchRecognition } from '../../../stores/people/people.ts'
import { useAct } from '../../../ui/use-action.ts'
import type { PeopleDialogState } from './PeopleDialog.tsx'

const WHERE = 'Demo cameras and cameras with a describer recognize people.'

interface RecognitionCardProps {
  home: HomePeople
  open: (dialog: PeopleDialogState) => void
}

/** Switches of recognition, and the button that deletes all its data. */
export function RecognitionCard({ home, open }: RecognitionCardProps) {
  const { recognition, guests } = home
  const on = `Included in ${peoplePlans()}. When off, new clips show no names. Saved names stay. ${WHERE}`
  const off = `Switch recognition on to find people on new clips and give them names. ${WHERE}`
  return (
    <section className="card recognition-card" aria-labelledby={`recognition-${home.home_id}`}>
      <Switch
        title={<h3 id={`recognition-${home.home_id}`}>Recognition</h3>}
        label="Recognition"
        note={recognition ? on : off}
        checked={recognition}
        onSwitch={(next) => switchRecognition(home, { on: next })}
      />
      {recognition && (
        <Switch
          title={<b>Guests see names</b>}
          label="Guests see names"
          note="People with whom you share a camera see the names on its clips."
          checked={guests}
          onSwitch={(next) => switchRecognition(home, { guests: next })}
        />
      )}
      {recognition && home.people.length > 0 && <ForgetEveryone open={open} />}
    </section>
  )
}

/** Asks before it deletes all names and face data of the home. */
export function ForgetEveryone({ open }: Pick<RecognitionCardProps, 'open'>) {
  return (
    <div className="forget-everyone">
      <b>Forget everyone</b>
      <p>Deletes all names and face data. Your clips stay.</p>
      <button type="button" className="btn btn-danger btn-sm" onClick={() => open({ kind: 'forget-everyone' })}>
        Forget everyone
      </button>
    </div>
  )
}

interface SwitchProps {
  title: React.ReactNode
  label: string
  note: string
  checked: boolean
  onSwitch: (next: boolean) => ReturnType<typeof switchRecognition>
}

function Switch({ title, label, note, checked, onSwitch }: SwitchProps) {
  const id = useId()
  const { isBusy, run } = useAct()
  return (
    <label className="recognition-switch">
      <span>{title}</span>
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-describedby={id}
        aria-busy={isBusy || undefined}
        checked={checked}
        onChange={({ target }) => void run(() => onSwitch(target.checked))}
      />
      <small id={id}>{note}</small>
    </label>
  )
}

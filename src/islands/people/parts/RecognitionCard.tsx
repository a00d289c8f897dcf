import { useId } from 'react'
import type { HomePeople } from '../../../../contract/events/people.ts'
import { formatPlansWithPeople } from '../../../domain/copy/people-labels.ts'
import { changeRecognition } from '../../../stores/people/people.ts'
import { useAction } from '../../../ui/use-action.ts'
import type { PeopleDialogState } from './PeopleDialog.tsx'

const SUPPORTED_CAMERAS_TEXT =
  'Recognition works on demo cameras and on cameras with a describer (a program that adds descriptions to clips).'

interface RecognitionCardProps {
  home: HomePeople
  open: (dialog: PeopleDialogState) => void
}

/** Card with the recognition switches and the button that deletes all recognition data. */
export function RecognitionCard({ home, open }: RecognitionCardProps) {
  const { recognition, guests } = home
  const onText = `Included in ${formatPlansWithPeople()}. When off, new clips don’t show names. Saved names aren’t deleted. ${SUPPORTED_CAMERAS_TEXT}`
  const offText = `Turn on recognition to find and name people in new clips. ${SUPPORTED_CAMERAS_TEXT}`
  return (
    <section className="card recognition-card" aria-labelledby={`recognition-${home.home_id}`}>
      <RecognitionSwitch
        title={<h3 id={`recognition-${home.home_id}`}>Recognition</h3>}
        label="Recognition"
        note={recognition ? onText : offText}
        checked={recognition}
        onSwitch={(next) => changeRecognition(home, { on: next })}
      />
      {recognition && (
        <RecognitionSwitch
          title={<b>Show names to guests</b>}
          label="Show names to guests"
          note="Lets people you share a camera with see names on its clips."
          checked={guests}
          onSwitch={(next) => changeRecognition(home, { guests: next })}
        />
      )}
      {recognition && home.people.length > 0 && <ForgetEveryone open={open} />}
    </section>
  )
}

/** Button that opens the confirmation for deleting all names and face data of the home. */
export function ForgetEveryone({ open }: Pick<RecognitionCardProps, 'open'>) {
  return (
    <div className="forget-everyone">
      <b>Forget everyone</b>
      <p>Deletes all names and face data. Your clips will be kept.</p>
      <button type="button" className="btn btn-danger btn-sm" onClick={() => open({ kind: 'forget-everyone' })}>
        Forget everyone
      </button>
    </div>
  )
}

interface RecognitionSwitchProps {
  title: React.ReactNode
  label: string
  note: string
  checked: boolean
  onSwitch: (next: boolean) => ReturnType<typeof changeRecognition>
}

function RecognitionSwitch({ title, label, note, checked, onSwitch }: RecognitionSwitchProps) {
  const id = useId()
  const { isBusy, run } = useAction()
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

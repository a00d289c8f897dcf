import type { SceneMoment } from '../../manifest.ts'

export const moments: Readonly<Record<string, readonly SceneMoment[]>> = {
  'day/courier': [
    { at: 10.9, text: 'A courier in a blue jacket and blue cap carries a cardboard box up the concrete drive.' },
    {
      at: 14,
      text: 'A courier in a blue uniform with dark trousers leaves a brown parcel on the drive beside the flower bed.',
    },
    {
      at: 30.9,
      text: 'A white-haired woman in a red cardigan and grey trousers picks up the cardboard box from the drive.',
    },
  ],
  'day/car': [
    { at: 10.6, text: 'A red car turns in from the road and pulls up on the drive.' },
    { at: 15.2, text: 'A woman with ginger hair in a long tan coat walks past the red car parked on the drive.' },
    { at: 27.4, text: 'A red car backs down the drive past the green hedge and out onto the road.' },
  ],
  'day/bike': [
    { at: 6.5, text: 'A child in a pink top rides a blue bike along the pavement past the mailbox.' },
    {
      at: 9.5,
      text: 'A child in a pink jacket, blue jeans and yellow helmet turns a blue bicycle round on the drive.',
    },
  ],
  'day/jogger': [
    { at: 9.5, text: 'A jogger in an orange top and black leggings runs along the pavement at the end of the drive.' },
    { at: 12.8, text: 'A silver estate car drives along the road behind a runner in orange near the tree.' },
  ],
  'dusk/jogger': [
    {
      at: 9.5,
      text: 'A jogger in an orange top and black leggings runs along the pavement across the end of the drive.',
    },
    { at: 12.8, text: 'A silver estate car drives along the road while a runner in orange nears the tree.' },
  ],
  'night/car': [
    { at: 10.6, text: 'A pale car turns in from the street and drives up with its headlights glaring.' },
    {
      at: 15.1,
      text: 'A woman in a long pale buttoned coat and dark trousers walks past a parked car with bright headlights.',
    },
    { at: 27.4, text: 'A car with its headlights on reverses down the drive and lights up the concrete.' },
  ],
  'night/fox': [
    { at: 4.9, text: 'A fox with a bushy tail trots over the lawn past the tree trunk.' },
    { at: 9.8, text: 'A pale fox with black legs and a bushy tail stands on the drive with its head raised.' },
  ],
  'night/visitor': [
    { at: 7.4, text: 'A man in dark trousers walks up the drive from the street with empty hands.' },
    { at: 10.2, text: 'A man with dark hair stands still on the drive and looks around to the side.' },
  ],
  'night/walk': [
    { at: 7.4, text: 'Somebody in a pale coat walks along the pavement past the mailbox by the lawn.' },
    { at: 11.2, text: 'Somebody in a pale coat walks along the pavement as a car with bright headlights drives by.' },
  ],
}

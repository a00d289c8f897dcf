import type { SceneMoment } from '../../manifest.ts'

export const moments: Readonly<Record<string, readonly SceneMoment[]>> = {
  'day/ball': [
    { at: 3.9, text: 'A golden dog races across the lawn after a red ball rolling along the stepping stones.' },
    { at: 8.6, text: 'A golden dog shakes a red ball by the vegetable bed and carries it back over the lawn.' },
    { at: 10.2, text: 'A golden dog runs back over the lawn and brings the red ball.' },
  ],
  'day/bark': [
    { at: 5.2, text: 'A golden dog trots across the lawn while a white cat walks along the top of the wooden fence.' },
    { at: 10.4, text: 'A golden dog by the kennel barks up at a white cat on the fence until it jumps down.' },
  ],
  'day/tag': [
    { at: 4.5, text: 'A child in a yellow top, blue jeans and red shoes runs over the lawn with a golden dog behind.' },
    { at: 8.9, text: 'A child in yellow and a golden dog chase each other round the trunk of the pink blossom tree.' },
  ],
  'day/watering': [
    { at: 4.2, text: 'A woman with long dark hair and a light blue coat carries a green watering can over the lawn.' },
    { at: 9.6, text: 'A woman in a light blue coat and dark blue trousers waters the plants in a raised bed.' },
  ],
  'dusk/bark': [
    { at: 5.4, text: 'A golden dog runs over the lawn past the pink tree towards a white cat walking on the fence.' },
    { at: 10.4, text: 'A golden dog stands below the fence and barks at a small white cat sitting on top of it.' },
  ],
  'night/fox': [
    { at: 4.2, text: 'A pale fox with black legs and a bushy tail trots over the lawn towards the kennel.' },
    { at: 7.8, text: 'A fox noses about beside the kennel with its head down.' },
    { at: 10.2, text: 'A fox beside the kennel lifts its head and trots off past the tree.' },
  ],
  'night/fence-cat': [
    { at: 7.2, text: 'A pale cat with its tail in the air walks along the top of the wooden fence.' },
    { at: 10.5, text: 'A pale cat sits down on top of the fence above the kennel and looks around.' },
  ],
  'night/dog': [
    { at: 3, text: 'A large pale dog comes out onto the lawn.' },
    { at: 5.2, text: 'A large pale dog trots away over the lawn towards the tree and the kennel.' },
    { at: 10.6, text: 'A pale dog with its tail raised lowers its head to a bowl beside the kennel and drinks.' },
  ],
}

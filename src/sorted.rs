//! Lists in order, in place of trees and tables of hashes: each kind of those is some kilobytes of the
//! wasm, and each kind of sorting too, so that one sorts for all.

use std::cmp::Ordering;

/// The items in an order; those that are equal stay as they stood.
pub(crate) fn sorted<T>(items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort(&mut order, &|a, b| compare(&items[a], &items[b]));
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| items[place].take()).collect()
}

fn sort(places: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    places.sort_by(|a, b| compare(*a, *b));
}

/// Pairs in the order of their keys, each key once: of several pairs the last one counts.
pub(crate) fn by_key<K: Ord, V>(pairs: Vec<(K, V)>) -> Vec<(K, V)> {
    let mut pairs = sorted(pairs, |a, b| a.0.cmp(&b.0));
    pairs.dedup_by(|later, earlier| {
        let is_same = later.0 == earlier.0;
        if is_same {
            std::mem::swap(later, earlier);
        }
        is_same
    });
    pairs
}

/// What such pairs have under a key.
pub(crate) fn get<'a, K: Ord, V>(pairs: &'a [(K, V)], key: &K) -> Option<&'a V> {
    pairs.binary_search_by(|pair| pair.0.cmp(key)).ok().map(|place| &pairs[place].1)
}

/// Puts an item in its place among others in order; `false` where it is there already.
///
/// What stands behind it is moved, so items are pointers, and a hundred thousand of them no burden.
pub(crate) fn insert<T: Ord>(items: &mut Vec<T>, item: T) -> bool {
    match items.binary_search(&item) {
        Ok(_) => false,
        Err(place) => {
            items.insert(place, item);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_stays_as_it_stood() {
        let words = ["pear", "fig", "apple", "kiwi", "date", "plum", "nut"];
        let by_length = sorted(words.to_vec(), |a, b| a.len().cmp(&b.len()));
        assert_eq!(by_length, ["fig", "nut", "pear", "kiwi", "date", "plum", "apple"]);
        assert!(sorted(Vec::<u8>::new(), Ord::cmp).is_empty());
    }

    #[test]
    fn of_several_pairs_of_one_key_the_last_one_counts() {
        let pairs = by_key(vec![("b", 1), ("a", 2), ("b", 3), ("c", 4), ("b", 5), ("a", 6)]);
        assert_eq!(pairs, [("a", 6), ("b", 5), ("c", 4)]);
        let found = ["a", "b", "c", "d", ""].map(|key| get(&pairs, &key).copied());
        assert_eq!(found, [Some(6), Some(5), Some(4), None, None]);
    }

    #[test]
    fn an_item_is_put_in_its_place_once() {
        let mut items = Vec::new();
        for item in [3, 1, 2, 3, 5, 1, 4] {
            let is_new = !items.contains(&item);
            assert_eq!(insert(&mut items, item), is_new, "{item}");
        }
        assert_eq!(items, [1, 2, 3, 4, 5]);
    }
}

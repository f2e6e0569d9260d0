//! The product of activations with a table, as an operation of tract's.

use std::sync::Arc;

use tract_onnx::model::ParsingContext;
use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::pb::{AttributeProto, NodeProto, TensorProto};
use tract_onnx::tract_hir::internal::*;

use super::product::{Activations, Product};
use super::table::{Table, Units};

/// The name of the operation in the graph of a part.
pub const NAME: &str = "plyzip.Product";

/// What holds the table in a node of the operation: its entries, and the units of its columns.
const WEIGHTS: &str = "weights";
const UNITS: &str = "units";

/// The node that multiplies `input` with a table.
pub fn node(input: &str, table: &Table, output: &str) -> NodeProto {
    let [rows, columns] = table.shape();
    let entries = (0..rows).flat_map(|row| table.row(row)).map(|&entry| entry as u8);
    let weights = TensorProto {
        dims: vec![rows as i64, columns as i64],
        data_type: DataType::Int8 as i32,
        raw_data: entries.collect(),
        ..TensorProto::default()
    };
    let units = table.column_units().unwrap_or_default();
    NodeProto {
        name: output.into(),
        op_type: NAME.into(),
        input: vec![input.into()],
        output: vec![output.into()],
        attribute: vec![
            AttributeProto { name: WEIGHTS.into(), t: Some(weights), ..AttributeProto::default() },
            AttributeProto {
                name: UNITS.into(),
                ints: units.into_iter().map(i64::from).collect(),
                ..AttributeProto::default()
            },
        ],
        ..NodeProto::default()
    }
}

/// The operation of a node that [`node`] made.
pub fn parse(
    _: &ParsingContext,
    node: &NodeProto,
) -> TractResult<(Box<dyn InferenceOp>, Vec<String>)> {
    let attribute = |name: &str| node.attribute.iter().find(|attribute| attribute.name == name);
    let table = || {
        let weights = attribute(WEIGHTS)?.t.as_ref()?;
        let [rows, columns] = weights.dims[..] else { return None };
        let (rows, columns) = (usize::try_from(rows).ok()?, usize::try_from(columns).ok()?);
        let units = &attribute(UNITS)?.ints;
        let units: Vec<i32> =
            units.iter().map(|&unit| unit.try_into().ok()).collect::<Option<_>>()?;
        Table::new(rows, columns, weights.raw_data.clone())?.scaled(Units::Columns(units))
    };
    let product = table().and_then(|table| Product::new(&table));
    let product = product.with_context(|| format!("`{}` has no table", node.name))?;
    Ok((expand(ProductOperation(Arc::new(product))), vec![]))
}

/// The operation: the same in the graph that is read and in the one that is run.
#[derive(Debug, Clone)]
struct ProductOperation(Arc<Product>);

impl PartialEq for ProductOperation {
    fn eq(&self, other: &ProductOperation) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ProductOperation {}

impl Expansion for ProductOperation {
    fn name(&self) -> StaticName {
        NAME.into()
    }

    fn rules<'r, 'p: 'r, 's: 'r>(
        &'s self,
        solver: &mut Solver<'r>,
        inputs: &'p [TensorProxy],
        outputs: &'p [TensorProxy],
    ) -> InferenceResult {
        check_input_arity(inputs, 1)?;
        check_output_arity(outputs, 1)?;
        let [width, columns] = self.0.shape();
        solver.equals(&inputs[0].datum_type, f32::datum_type())?;
        solver.equals(&outputs[0].datum_type, f32::datum_type())?;
        solver.equals(&inputs[0].rank, 2)?;
        solver.equals(&outputs[0].rank, 2)?;
        solver.equals(&inputs[0].shape[1], width.to_dim())?;
        solver.equals(&outputs[0].shape[1], columns.to_dim())?;
        solver.equals(&inputs[0].shape[0], &outputs[0].shape[0])
    }

    fn wire(
        &self,
        prefix: &str,
        model: &mut TypedModel,
        inputs: &[OutletId],
    ) -> TractResult<TVec<OutletId>> {
        model.wire_node(prefix, self.clone(), inputs)
    }
}

impl Op for ProductOperation {
    fn name(&self) -> StaticName {
        NAME.into()
    }

    op_as_typed_op!();
}

impl EvalOp for ProductOperation {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let input = args_1!(inputs);
        let (rows, [width, columns]) = (input.shape()[0], self.0.shape());
        let input = input.to_plain_array_view::<f32>()?;
        let input = input.as_slice().context("a product of numbers that lie apart")?;
        ensure!(input.len() == rows * width);
        let mut output = Tensor::zero::<f32>(&[rows, columns])?;
        let mut numbers = output.to_plain_array_view_mut::<f32>()?;
        let numbers = numbers.as_slice_mut().context("a product that lies apart")?;
        self.0.multiply(input, numbers, &mut Activations::default());
        Ok(tvec!(output.into()))
    }
}

impl TypedOp for ProductOperation {
    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let [width, columns] = self.0.shape();
        ensure!(inputs.len() == 1 && inputs[0].rank() == 2);
        ensure!(inputs[0].shape[1] == width.to_dim());
        Ok(tvec!(f32::fact([inputs[0].shape[0].clone(), columns.to_dim()])))
    }

    as_op!();
}

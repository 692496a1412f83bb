// y[t] = decay * y[t - 1] + (1 - decay) * x[t] along the last axis, as one op.
// TensorFlow's C interface compiles in a second; its C++ headers take half a minute.

#include <tensorflow/c/kernels.h>
#include <tensorflow/c/ops.h>
#include <tensorflow/c/tf_tensor.h>

#include <memory>
#include <vector>

namespace {

const char kName[] = "PipeportRunningMean";

using Status = std::unique_ptr<TF_Status, decltype(&TF_DeleteStatus)>;
using Tensor = std::unique_ptr<TF_Tensor, decltype(&TF_DeleteTensor)>;

Status NewStatus() { return Status(TF_NewStatus(), TF_DeleteStatus); }
bool Ok(const Status& status) { return TF_GetCode(status.get()) == TF_OK; }

void SameShape(TF_ShapeInferenceContext* context, TF_Status* status) {
  TF_ShapeHandle* shape = TF_NewShapeHandle();
  TF_ShapeInferenceContextGetInput(context, 0, shape, status);
  if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextSetOutput(context, 0, shape, status);
  TF_DeleteShapeHandle(shape);
}

void* Create(TF_OpKernelConstruction* construction) {
  auto* decay = new float(0);
  Status status = NewStatus();
  TF_OpKernelConstruction_GetAttrFloat(construction, "decay", decay, status.get());
  if (!Ok(status)) TF_OpKernelConstruction_Failure(construction, status.get());
  return decay;
}

void Delete(void* decay) { delete static_cast<float*>(decay); }

void Run(float decay, TF_OpKernelContext* context, const Status& status) {
  TF_Tensor* given = nullptr;
  TF_GetInput(context, 0, &given, status.get());
  if (!Ok(status)) return;
  Tensor input(given, TF_DeleteTensor);
  std::vector<int64_t> sizes(TF_NumDims(given));
  if (sizes.empty()) {
    TF_SetStatus(status.get(), TF_INVALID_ARGUMENT, "x: got a scalar; allowed: one axis or more");
    return;
  }
  for (size_t axis = 0; axis < sizes.size(); ++axis) sizes[axis] = TF_Dim(given, axis);
  const int64_t count = TF_TensorElementCount(given);
  Tensor output(TF_AllocateOutput(context, 0, TF_FLOAT, sizes.data(), sizes.size(),
                                  count * sizeof(float), status.get()),
                TF_DeleteTensor);
  if (!Ok(status)) return;
  const auto* x = static_cast<const float*>(TF_TensorData(given));
  auto* y = static_cast<float*>(TF_TensorData(output.get()));
  for (int64_t i = 0; i < count; ++i) {
    const float last = i % sizes.back() == 0 ? 0 : y[i - 1];
    y[i] = decay * last + (1 - decay) * x[i];
  }
}

void Compute(void* decay, TF_OpKernelContext* context) {
  Status status = NewStatus();
  Run(*static_cast<float*>(decay), context, status);
  if (!Ok(status)) TF_OpKernelContext_Failure(context, status.get());
}

const bool registered = [] {
  Status status = NewStatus();
  TF_OpDefinitionBuilder* op = TF_NewOpDefinitionBuilder(kName);
  TF_OpDefinitionBuilderAddInput(op, "x: float");
  TF_OpDefinitionBuilderAddAttr(op, "decay: float");
  TF_OpDefinitionBuilderAddOutput(op, "y: float");
  TF_OpDefinitionBuilderSetShapeInferenceFunction(op, SameShape);
  TF_RegisterOpDefinition(op, status.get());
  if (!Ok(status)) return false;
  TF_RegisterKernelBuilder(kName, TF_NewKernelBuilder(kName, "CPU", Create, Compute, Delete), status.get());
  return Ok(status);
}();

}  // namespace
